// Texts of just under 1 MB, and of half of that, in every place of both APIs that takes one: how often the blocks of the
// program run, as V8 counts them, must grow no faster than the text. With --times it prints milliseconds instead.
// Run: npm run build && node test/soak/linear.mjs [--times]

import { Session } from 'node:inspector/promises'
import { Sandbox } from '../../dist/sandbox/sandbox.js'
import { callsOf, texts } from './texts.mjs'

const full = 1_000_000
const isTimed = process.argv.includes('--times')
const nowMs = Date.parse('2026-03-25T08:00:00Z')

const session = new Session()
session.connect()
if (!isTimed) {
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

/** How often blocks of the program and of its libraries ran since the last call. */
async function workDone() {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  let work = 0
  for (const { url, functions } of result)
    if (url.startsWith('file:') || url === '')
      for (const { ranges } of functions) for (const { count } of ranges) work += count
  return work
}

async function ask(sandbox, call) {
  const reply = await sandbox.handle(call)
  if (reply.status === 500) throw new Error(`${call.method} ${call.path.slice(0, 200)}: ${reply.body}`)
  void reply.stream?.return?.()
}

let calls = 0
let worst = { ratio: 0 }
let slowest = { ms: 0 }
const over = []
for await (const { endpoint, sandbox, places } of callsOf(() => new Sandbox({ nowMs }))) {
  const where = `${endpoint.method} ${endpoint.path}`
  if (isTimed) {
    for (const { name, make } of places)
      for (const text of texts) {
        const call = make(text(full))
        const started = performance.now()
        await ask(sandbox, call)
        const ms = performance.now() - started
        calls++
        if (ms > 50) over.push(`${ms.toFixed(0)} ms ${where} ${name}`)
        if (ms > slowest.ms) slowest = { ms, where: `${where} ${name}` }
      }
  } else {
    const work = []
    // The first round fills caches, such as compiled schemas.
    for (const length of [1_000, full / 2, full]) {
      for (const [index, { make }] of places.entries()) {
        await ask(sandbox, make(texts[index % texts.length](length)))
        calls++
      }
      work.push(await workDone())
    }
    const ratio = work[2] / work[1]
    if (ratio > worst.ratio) worst = { ratio, where }
    if (ratio > 2.2) over.push(`${where}: ${work.join(', ')}`)
  }
  await sandbox.close()
}
session.disconnect()
for (const line of over) console.log(line)
console.log(
  isTimed
    ? `linear: ${calls} calls with 1 MB in one place, the slowest took ${slowest.ms.toFixed(0)} ms (${slowest.where}), ${over.length} above 50 ms`
    : `linear: ${calls} calls, twice the text took at most ${worst.ratio.toFixed(2)} times the work (${worst.where})`,
)
process.exitCode = !isTimed && over.length > 0 ? 1 : 0
