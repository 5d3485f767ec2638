// The memory that card code leaves in use: 32 simulations that take 45 MB each at the same time, then nothing for 30 s.
// Prints the resident memory before, at its highest, and after. Run: npm run build && node bench/card-code-idle.mjs

import { Sandbox } from '../dist/sandbox/sandbox.js'
import { figure } from './figures.mjs'

const idleMs = Number(process.env.IDLE_MS ?? 30_000)
const simulations = 32

const sandbox = new Sandbox()
const signIn = await sandbox.handle({
  method: 'POST',
  path: '/identity/v2/oauth2/token',
  headers: {
    authorization: 'Basic ' + Buffer.from('sandbox-client:sandbox-secret').toString('base64'),
    'x-api-key': 'sandbox-api-key',
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: 'grant_type=client_credentials',
})
const headers = {
  authorization: `Bearer ${JSON.parse(signIn.body).access_token}`,
  'content-type': 'application/json',
}
const rssMb = () => Math.round(process.memoryUsage.rss() / 2 ** 20)
const before = rssMb()
let highest = before
const watch = setInterval(() => (highest = Math.max(highest, rssMb())), 50)

const simulationcode = `
  const hold = async () => { const held = new Uint8Array(45 * 2 ** 20).fill(1); await new Promise((r) => setTimeout(r, 100)); return held.length > 0 }
  const beforeTransaction = hold
  const afterTransaction = hold`
const replies = await Promise.all(
  Array.from({ length: simulations }, () =>
    sandbox.handle({
      method: 'POST',
      path: '/za/v1/cards/700615/code/execute',
      headers,
      body: JSON.stringify({ simulationcode }),
    }),
  ),
)
for (const { status, body } of replies)
  if (status !== 200 || JSON.parse(body).data.result.some(({ Error: error }) => error)) throw new Error(body)
await new Promise((resolve) => setTimeout(resolve, idleMs))
clearInterval(watch)
const after = rssMb()
figure(`memory of the process before ${simulations} simulations of 45 MB`, before, { unit: 'MB' })
figure('its highest meanwhile', highest, { unit: 'MB' })
figure(`${idleMs / 1000} s later`, after, { unit: 'MB', atMost: 150 })
await sandbox.close()
