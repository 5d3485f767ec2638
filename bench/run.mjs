// Every benchmark, one after the other, each in a process of its own: npm run bench. A name runs one: npm run bench http.
// The figures go into the table of README.md; the rows of benchmarks that did not run stay as they are.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os'
import path from 'node:path'
import { format } from 'prettier'

/** What the benchmarks share; everything else in this folder is one. */
const parts = new Set([
  'run.mjs',
  'figures.mjs',
  'servers.mjs',
  'load.mjs',
  'bare-express.mjs',
  'bare-node.mjs',
])
const folder = import.meta.dirname
const readme = path.join(folder, 'README.md')
const wanted = process.argv.slice(2)
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs') && !parts.has(file))
  .map((file) => path.basename(file, '.mjs'))
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0)
  throw new Error(`There is no benchmark ${unknown.join(', ')}; there are ${names.join(', ')}.`)

const scratch = mkdtempSync(path.join(tmpdir(), 'bench-figures-'))
const rows = new Map()
for (const name of names.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  console.log(`\n== ${name}`)
  const file = path.join(scratch, name)
  const { status } = spawnSync(process.execPath, ['--expose-gc', path.join(folder, `${name}.mjs`)], {
    stdio: 'inherit',
    env: { ...process.env, FIGURES: file },
  })
  if (status !== 0) {
    process.exitCode = 1
    console.log(`(ended with ${status})`)
  }
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    rows.set(
      name,
      lines.map((line) => rowOf(JSON.parse(line))),
    )
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
rmSync(scratch, { recursive: true })
await write()

function rowOf({ what, ours, node, express, ratio, promise, command }) {
  return `| ${[what, ours, node, express, ratio, promise, `\`${command}\``].join(' | ')} |`
}

/** Puts the new rows in place of the old ones of the same benchmark. */
async function write() {
  const text = readFileSync(readme, 'utf8')
  const [before, table, after] = text.split(/<!-- (?:figures|end) -->\n/)
  const kept = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
  const nameOf = (line) => /`([a-z-]+)`\s*\|$/.exec(line)?.[1]
  const all = names.flatMap((name) => rows.get(name) ?? kept.filter((line) => nameOf(line) === name))
  const head = '| Figure | Ours | node:http | Express | Ratio | Promise | `npm run bench …` |'
  const where =
    `${process.platform}, ${availableParallelism()} cores (${cpus()[0].model.trim()}), ` +
    `${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, load ${loadavg()[0].toFixed(1)}`
  const parts = [before, '<!-- figures -->\n', `Last run: ${where}.\n\n`, head, '\n|', '---|'.repeat(7), '\n']
  const whole = [...parts, all.join('\n'), '\n\n', '<!-- end -->\n', after].join('')
  writeFileSync(readme, await format(whole, { parser: 'markdown', printWidth: 110 }))
}
