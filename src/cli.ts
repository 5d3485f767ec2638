#!/usr/bin/env node
// The command `sandbox-server`.

import { run } from './cli/run.js'

await run(process.argv.slice(2), process.env)
