#!/usr/bin/env node
// The command `sandbox-server`.

import module from 'node:module'

// Node 20 has no cache of compiled code; nothing else may be loaded before it is switched on.
;(module as { enableCompileCache?: () => void }).enableCompileCache?.()
const { run } = await import('./cli/run.js')
await run(process.argv.slice(2), process.env, process.argv[1])
