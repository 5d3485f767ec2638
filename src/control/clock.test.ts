import { expect, test } from '@jest/globals'
import { Client, everyday, sandboxAt, testMs } from '../../test/client.js'
import { Sandbox } from '../sandbox/sandbox.js'
import type { Workspace } from '../workspace/workspace.js'

test('the clock is read, set, advanced, frozen and resumed', async () => {
  const client = await Client.of(new Sandbox())
  const running = await client.control('GET', 'clock')
  expect(running.json.frozen).toBe(false)
  const frozen = await client.control('POST', 'clock', { set: '2026-03-25T08:00:00Z', freeze: true })
  expect(frozen.json).toEqual({ now: '2026-03-25T08:00:00.000Z', frozen: true })
  const advanced = await client.control('POST', 'clock', { advance: 'P1M' })
  expect(advanced.json.now).toBe('2026-04-25T08:00:00.000Z')
  const resumed = await client.control('POST', 'clock', { resume: true })
  expect(resumed.json.frozen).toBe(false)
  expect(Date.parse(resumed.json.now) - Date.parse('2026-04-25T08:00:00Z')).toBeLessThan(60_000)
})

test('a move of the clock over a timeline is complete, however many faults there are', async () => {
  const client = await Client.of(sandboxAt())
  const entry = (amount: number, description: string) => ({ accountId: everyday, amount, description })
  const fault = { match: { path: '/zz' }, fault: { status: 503 } }
  const timeline = [
    { after: 'PT1H', entry: entry(100, 'ONE') },
    { after: 'PT2H', fault },
    { after: 'PT2H', entry: entry(5, 'TWO') },
  ]
  await client.control('POST', 'scenario', { scenario: { name: 'x', description: 'd', timeline } })
  for (let i = 0; i < 1000; i++) await client.control('POST', 'faults', fault)
  expect((await client.control('POST', 'faults', fault)).status).toBe(400)
  expect((await client.control('POST', 'clock', { advance: 'PT3H' })).status).toBe(200)
  expect((await client.control('GET', 'faults')).json.faults).toHaveLength(1001)
  const signedIn = await Client.of(client.sandbox)
  const { json } = await signedIn.get(`/za/pb/v1/accounts/${everyday}/transactions`)
  const texts = json.data.transactions.map(({ description }: { description: string }) => description)
  expect(texts.filter((text: string) => /^(ONE|TWO)$/.test(text))).toEqual(['ONE', 'TWO'])
})

/** When a workspace has begun long work: its call is read first, which takes a few turns of promises. */
async function begun(workspace: Workspace): Promise<void> {
  for (let turn = 0; turn < 1000 && !workspace.underWay; turn++) await Promise.resolve()
  expect(workspace.underWay).toBeDefined()
}

test('while the clock of a workspace moves by years, others are answered, and its own calls wait', async () => {
  const sandbox = sandboxAt(testMs)
  const client = await Client.of(sandbox)
  await client.control('POST', 'workspaces', { name: 'busy' })
  await client.control('GET', 'upcoming?workspace=busy')
  const answered: string[] = []
  const note = async (who: string, asked: Promise<{ json: { now?: string } }>) => {
    const { json } = await asked
    answered.push(who)
    return json.now
  }
  const moving = note('move', client.control('POST', 'clock?workspace=busy', { advance: 'P10Y' }))
  // The move begins after its body has been read.
  await begun(sandbox.workspaces.get('busy'))
  const own = note('own', client.control('GET', 'clock?workspace=busy'))
  await note('other', client.control('GET', 'clock'))
  expect(answered).toEqual(['other'])
  expect(await own).toBe(await moving)
  expect(answered).toEqual(['other', 'move', 'own'])
})

test('a reset ends a move of the clock that is under way, and nothing of the move is left', async () => {
  const sandbox = sandboxAt(testMs)
  const client = await Client.of(sandbox)
  const before = (await client.control('GET', 'state')).json.workspaces[0].bank
  const moving = client.control('POST', 'clock', { advance: 'P10Y' })
  await begun(sandbox.main)
  sandbox.main.reset()
  const told = sandbox.main.events.changes
  await moving
  expect(sandbox.main.bank!.state).toEqual(before)
  // The answered move itself is one.
  expect(sandbox.main.events.changes).toBe(told + 1)
})

test('a token expires when the clock passes its time', async () => {
  const client = await Client.of(sandboxAt())
  await client.control('POST', 'clock', { advance: 'PT29M58S' })
  expect((await client.get('/za/pb/v1/accounts')).status).toBe(200)
  await client.control('POST', 'clock', { advance: 'PT1S' })
  const late = await client.get('/za/pb/v1/accounts')
  expect(late.status).toBe(401)
  expect(late.json.type).toBe('urn:sandbox-server:problem:expired-token')
})

test('the events of a month happen when the clock passes it, and going back loses nothing', async () => {
  const sandbox = sandboxAt(testMs)
  const client = await Client.of(sandbox)
  const rows = async (fresh: Client) => {
    const path = `/za/pb/v1/accounts/${everyday}/transactions?fromDate=2025-01-01&toDate=2027-01-01`
    return (await fresh.get(path)).json.data.transactions as { description: string; postingDate: string }[]
  }
  const before = await rows(client)
  await client.control('POST', 'clock', { advance: 'P1M' })
  const later = await rows(await Client.of(sandbox))
  expect(later.slice(0, before.length)).toEqual(before)
  const added = later.slice(before.length)
  expect(added.map(({ description }) => description)).toContainEqual(expect.stringMatching(/^SALARY /))
  expect(added.map(({ description }) => description)).toContain('MONTHLY SERVICE CHARGE')
  await client.control('POST', 'clock', { set: '2026-03-25' })
  expect(await rows(await Client.of(sandbox))).toEqual(later)
})

test.each([
  [{}, '/'],
  [{ advance: '1 day' }, '/advance'],
  [{ advance: '-P1D' }, '/advance'],
  [{ advance: 'P11Y' }, '/advance'],
  [{ advance: 'P999999Y' }, '/advance'],
  [{ advance: 5 }, '/advance'],
  [{ set: '2026-02-30' }, '/set'],
  [{ set: '1970-01-01' }, '/set'],
  [{ set: '2199-01-01' }, '/set'],
  [{ set: '2026-03-26', advance: 'P1D' }, '/advance'],
  [{ freeze: true, resume: true }, '/resume'],
  [{ freeze: false }, '/freeze'],
  [{ sett: '2026-03-26' }, '/sett'],
])('an invalid move of the clock changes nothing: %j', async (body, path) => {
  const client = await Client.of(sandboxAt())
  const refused = await client.control('POST', 'clock', body)
  expect(refused.status).toBe(400)
  expect(refused.json.errors).toContainEqual(expect.objectContaining({ path }))
  expect((await client.control('GET', 'clock')).json.now).toBe('2026-03-25T08:00:00.000Z')
})
