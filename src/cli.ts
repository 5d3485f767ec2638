#!/usr/bin/env node
// The command `sandbox-server`.

import module from 'node:module'

// Node 20 has no cache of compiled code; nothing else may be loaded before it is switched on.
;(module as { enableCompileCache?: () => void }).enableCompileCache?.()
const argv = process.argv.slice(2)
// These run card code: its engine starts while everything else is loaded.
if (argv[0] === 'card' && ['run', 'test', 'watch', 'backtest'].includes(argv[1] ?? '')) {
  const { startRunner } = await import('./card-code/host/runner.js')
  startRunner({ isShared: false })
}
const { run } = await import('./cli/run.js')
await run(argv, process.env, process.argv[1])
