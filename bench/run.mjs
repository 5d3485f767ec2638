// Every benchmark, one after the other, each in a process of its own: npm run bench. A name runs one: npm run bench http.

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What the benchmarks share; everything else in this folder is one. */
const parts = new Set(['run.mjs', 'servers.mjs', 'load.mjs', 'bare-express.mjs'])
const folder = fileURLToPath(new URL('.', import.meta.url))
const wanted = process.argv.slice(2)
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs') && !parts.has(file))
  .filter((file) => wanted.length === 0 || wanted.includes(file.replace('.mjs', '')))
if (files.length === 0) throw new Error(`there is no benchmark named ${wanted.join(', ')}`)

let failed = false
for (const file of files) {
  console.log(`\n== ${file.replace('.mjs', '')}`)
  const { status } = spawnSync(process.execPath, ['--expose-gc', folder + file], { stdio: 'inherit' })
  if (status !== 0) {
    failed = true
    console.log(`(ended with ${status})`)
  }
}
process.exitCode = failed ? 1 : 0
