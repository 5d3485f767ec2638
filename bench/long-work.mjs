// How long calls of other workspaces wait while one workspace does long work: a call every millisecond, timed from the
// moment at which it was due. In one process, through `handle`. Run: npm run build && node bench/long-work.mjs

import { setImmediate } from 'node:timers/promises'
import { Sandbox } from '../dist/sandbox/sandbox.js'
import { figure, quantile } from './figures.mjs'
import { tokenOf } from './servers.mjs'

const sandbox = new Sandbox({ nowMs: Date.UTC(2026, 2, 25, 8) })
const send = async (path, { method, headers, body }) => {
  const reply = await sandbox.handle({ method, path, headers, body })
  return { json: () => JSON.parse(reply.body) }
}
const credentials = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret', apiKey: 'sandbox-api-key' }
const token = await tokenOf({ url: '', ...credentials }, send)
const asked = {
  method: 'GET',
  path: '/za/pb/v1/accounts',
  headers: { authorization: `Bearer ${token}` },
}

const control = async (workspace, method, path, body) => {
  const headers = { 'content-type': 'application/json' }
  const reply = await sandbox.handle({
    method,
    path: `/_sandbox/${path}?workspace=${workspace}`,
    headers,
    body,
  })
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.body}`)
  return reply.body
}

/** The waits, in ms, of calls to the main workspace while `work` is under way in another one. */
async function waitsDuring(work) {
  const waits = []
  let isOver = false
  const working = work().finally(() => (isOver = true))
  for (let due = performance.now(); !isOver;) {
    await setImmediate()
    for (; due < performance.now(); due++) {
      const { status } = await sandbox.handle(asked)
      if (status !== 200) throw new Error(`GET accounts: ${status}`)
      waits.push(performance.now() - due)
    }
  }
  await working
  return waits
}

async function state(what, prepare, work) {
  const rounds = []
  for (let round = 0; round < 5; round++) {
    const { name: workspace } = JSON.parse(await control('default', 'POST', 'workspaces', '{}'))
    await prepare(workspace)
    const waits = await waitsDuring(() => work(workspace))
    rounds.push(quantile(waits, 0.99))
    await sandbox.handle({ method: 'DELETE', path: `/_sandbox/workspaces/${workspace}` })
  }
  figure(`p99 of other workspaces while one ${what}`, quantile(rounds, 0.5), { unit: 'ms', atMost: 50 })
}

const nothing = async () => undefined
let seed = 1
/** With a seed that no bank had before: the history of one seed is made once. */
const loadMany = async (workspace) => {
  await control(
    workspace,
    'POST',
    'scenario',
    JSON.stringify({ scenario: 'many-transactions', seed: (seed += 1) }),
  )
  // The bank is made when the first call needs it.
  await control(workspace, 'GET', 'upcoming')
}
const exported = async () => {
  const { name: workspace } = JSON.parse(await control('default', 'POST', 'workspaces', '{}'))
  await loadMany(workspace)
  const text = await control(workspace, 'GET', 'state')
  await sandbox.handle({ method: 'DELETE', path: `/_sandbox/workspaces/${workspace}` })
  return text
}

await state(
  'advances its clock by ten years',
  (workspace) => control(workspace, 'GET', 'state'),
  (workspace) => control(workspace, 'POST', 'clock', '{"advance":"P10Y"}'),
)
await state('loads 100,000 rows', nothing, loadMany)
const text = await exported()
await state('imports a state of 100,000 rows', nothing, (workspace) => {
  const body = JSON.parse(text)
  body.workspaces[0].name = workspace
  return control(workspace, 'PUT', 'state', JSON.stringify(body))
})
await sandbox.close()
