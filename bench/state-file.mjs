// What keeping the bank in a file costs: how long a transfer takes that waits for nothing, and with `--state` written soon
// or before each answer. One client, one call after the other.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure, median, quantile } from './figures.mjs'
import { load } from './load.mjs'
import { startSandbox, tokenOf } from './servers.mjs'

const rounds = Number(process.env.ROUNDS ?? 5)
const path = '/za/pb/v1/accounts/4675778129910189600000003/transfermultiple'
const transfer = { beneficiaryAccountId: '4675778129910189600000004', amount: '0.01' }
const body = JSON.stringify({
  transferList: [{ ...transfer, myReference: 'mine', theirReference: 'theirs' }],
})
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const ways = {
  none: [],
  soon: ['--state', join(folder, 'soon.json')],
  always: ['--state', join(folder, 'always.json'), '--state-sync', 'always'],
}

const servers = {}
for (const [name, flags] of Object.entries(ways)) {
  const sandbox = await startSandbox(...flags)
  const headers = { authorization: `Bearer ${await tokenOf(sandbox)}`, 'content-type': 'application/json' }
  servers[name] = { sandbox, headers, medians: [], tails: [] }
}
for (let round = 0; round < rounds; round++)
  for (const { sandbox, headers, medians, tails } of Object.values(servers)) {
    const { times } = await load(sandbox.url + path, {
      method: 'POST',
      headers,
      body,
      connections: 1,
      ms: 1000,
    })
    medians.push(median(times))
    tails.push(quantile(times, 0.99))
  }
for (const { sandbox } of Object.values(servers)) await sandbox.stop()
rmSync(folder, { recursive: true })

const ms = (name) => median(servers[name].medians)
figure('a transfer without a state file, ms', ms('none'))
figure('with --state, beside one without, ms', ms('soon'), { ratio: ms('soon') / ms('none') })
figure('with --state-sync always, beside one without, ms', ms('always'), { ratio: ms('always') / ms('none') })
figure('with --state-sync always, 99 of 100 within, ms', median(servers.always.tails))
