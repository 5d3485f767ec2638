// What a workspace of a team's bank may have, and what happens when it has that.

import { afterEach, expect } from '@jest/globals'
import { card, everyday, savings } from './ids.js'
import { ask, Fleet, signedIn, type Asked } from './team-replicas.js'
import { describeStore, test } from './team-store.js'

const fleets: Fleet[] = []

async function fleetOf(...given: Parameters<typeof Fleet.of>): Promise<Fleet> {
  const fleet = await Fleet.of(...given)
  fleets.push(fleet)
  return fleet
}

afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.close()
})

const transfer = (url: string, headers: Record<string, string>, reference: string): Promise<Asked> =>
  ask(
    url,
    'POST',
    `/za/pb/v1/accounts/${everyday}/transfermultiple`,
    {
      transferList: [
        { beneficiaryAccountId: savings, amount: '1.00', myReference: reference, theirReference: 'x' },
      ],
    },
    headers,
  )

describeStore('quotas', () => {
  test('refuse what is beyond them, by name, and allow what makes room', async () => {
    const fleet = await fleetOf(1, { quotas: { rows: 20 } })
    const headers = await signedIn(fleet.url(0))
    expect((await transfer(fleet.url(0), headers, 'a')).status).toBe(200)
    let refused = await transfer(fleet.url(0), headers, 'b')
    for (let at = 0; at < 20 && refused.status === 200; at++)
      refused = await transfer(fleet.url(0), headers, 'c')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('sandbox-problem')).toBe('quota-exceeded')
    expect(refused.text).toContain('The quota rows is used up')
    expect((await ask(fleet.url(0), 'POST', '/_sandbox/reset', {})).status).toBe(200)
    expect((await transfer(fleet.url(0), await signedIn(fleet.url(0)), 'd')).status).toBe(200)
  })
  test('refuse card code when it has computed for its share of the minute', async () => {
    const fleet = await fleetOf(2, { quotas: { computing: 20 } })
    const made = await ask(fleet.url(0), 'POST', '/_sandbox/workspaces', { name: 'alpha' })
    const [busy, other] = [await signedIn(fleet.url(0), made.json), await signedIn(fleet.url(1))]
    const simulate = (at: number, headers: Record<string, string>): Promise<Asked> =>
      ask(
        fleet.url(at),
        'POST',
        `/za/v1/cards/${card}/code/execute`,
        {
          simulationcode:
            'const beforeTransaction = () => { for (let i = 0; i < 3e6; i++); return true }; const afterTransaction = async () => {}',
        },
        headers,
      )
    let refused = await simulate(0, busy)
    for (let at = 0; at < 100 && refused.status === 200; at++) refused = await simulate(at, busy)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('sandbox-problem')).toBe('quota-exceeded')
    expect(refused.text).toContain('The quota computing is used up')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const buy = await ask(fleet.url(1), 'POST', `/_sandbox/cards/${card}/transactions?workspace=alpha`, {
      centsAmount: 100,
    })
    expect([buy.status, buy.json.quota]).toEqual([429, 'computing'])
    // Everything else goes on, and so do the others.
    expect((await transfer(fleet.url(1), busy, 'a')).status).toBe(200)
    expect((await simulate(0, other)).status).toBe(200)
  })

  test('refuse more executions at a time than it may have', async () => {
    const fleet = await fleetOf(1, { quotas: { executions: 1 } })
    const headers = await signedIn(fleet.url(0))
    const simulate = (code: string): Promise<Asked> =>
      ask(fleet.url(0), 'POST', `/za/v1/cards/${card}/code/execute`, { simulationcode: code }, headers)
    const hooks = 'const beforeTransaction = () => true; const afterTransaction = async () => {}'
    const all = await Promise.all([1, 2, 3].map(() => simulate(hooks)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 429, 429])
    const refused = all.find(({ status }) => status === 429)!
    expect(refused.text).toContain('The quota executions is used up')
    expect((await simulate(hooks)).status).toBe(200)
  })
})
