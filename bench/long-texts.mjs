// How long a call may take with a text of just under 1 MB in any place of both APIs that takes one; that the work grows no
// faster than the text is counted by test/soak/linear.mjs.

import { Sandbox } from '../dist/sandbox/sandbox.js'
import { callsOf, texts } from '../test/soak/texts.mjs'
import { figure } from './figures.mjs'

const nowMs = Date.parse('2026-03-25T08:00:00Z')
const rounds = 3
let slowest = 0
let where = ''

async function msOf(sandbox, call) {
  const started = performance.now()
  const reply = await sandbox.handle(call)
  const ms = performance.now() - started
  void reply.stream?.return?.()
  return ms
}

for await (const { endpoint, sandbox, places } of callsOf(() => new Sandbox({ nowMs }))) {
  for (const { name, make } of places)
    for (const text of texts) {
      const call = make(text(1_000_000))
      // The first call may compile a schema or load a module, and any may be held up by the machine.
      let best = Infinity
      for (let round = 0; round < rounds && best > Math.max(slowest, 5); round++)
        best = Math.min(best, await msOf(sandbox, call))
      if (best > slowest) {
        slowest = best
        where = `${endpoint.method} ${endpoint.path} ${name}`
      }
    }
  await sandbox.close()
}
figure('the slowest call with a text of 1 MB anywhere, ms', slowest, { unit: 'ms', atMost: 50 })
console.log(`   ${where}`)
