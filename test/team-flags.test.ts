// What flags and commands of a team's bank promise: the journal, the time to live, TLS, poolers, export and import, upgrades.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect } from '@jest/globals'
import { selfSigned } from '../src/http/certificate.js'
import { runStore } from '../src/team/command.js'
import { Postgres } from '../src/team/postgres.js'
import { migrate, migrations, schemaVersion } from '../src/team/schema.js'
import { Store } from '../src/team/store.js'
import { testMs } from './client.js'
import { everyday, savings, standardSignIn } from './ids.js'
import { ask, Fleet, signedIn, type Asked } from './team-replicas.js'
import { describeStore, freshStore, test } from './team-store.js'
import { startPooler } from './transaction-pooler.js'

const accounts = '/za/pb/v1/accounts'
const fleets: Fleet[] = []
const closing: (() => unknown)[] = []

async function fleetOf(...given: Parameters<typeof Fleet.of>): Promise<Fleet> {
  const fleet = await Fleet.of(...given)
  fleets.push(fleet)
  return fleet
}

afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.close()
  for (const close of closing.splice(0)) await close()
})

const transferOf = (reference: string): object => ({
  transferList: [
    { beneficiaryAccountId: savings, amount: '1.00', myReference: reference, theirReference: 'x' },
  ],
})

const transfer = async (url: string, headers: Record<string, string>, reference: string): Promise<number> =>
  (await ask(url, 'POST', `${accounts}/${everyday}/transfermultiple`, transferOf(reference), headers)).status

const balance = async (url: string, headers: Record<string, string>): Promise<number> =>
  (await ask(url, 'GET', `${accounts}/${savings}/balance`, undefined, headers)).json.data.currentBalance

const pathsIn = async (url: string): Promise<string[]> =>
  (await ask(url, 'GET', '/_sandbox/requests')).json.requests.map((each: { path: string }) => each.path)

/** Runs `store …`; gives its exit code and what it wrote. */
async function store(address: string, ...words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const write = (text: string): void => void lines.push(text)
  const code = await runStore([...words, '--store', address], {}, { print: write, say: write })
  return { code, text: lines.join('\n') }
}

describeStore('--store-journal', () => {
  test('keeps the journal when a workspace moves, which is forgotten without it', async () => {
    const seen = async (hasJournal: boolean): Promise<string[]> => {
      const fleet = await fleetOf(2, { hasJournal })
      const headers = await signedIn(fleet.url(0))
      await balance(fleet.url(0), headers)
      expect(await transfer(fleet.url(0), headers, 'a')).toBe(200)
      const owner = fleet.holdings.findIndex((names) => names.includes('default'))
      const [leaving] = fleet.replicas.splice(owner, 1)
      await leaving!.close()
      await balance(fleet.url(0), headers)
      return pathsIn(fleet.url(0))
    }
    const read = `${accounts}/${savings}/balance`
    expect(await seen(true)).toEqual([
      '/identity/v2/oauth2/token',
      read,
      `${accounts}/${everyday}/transfermultiple`,
      read,
    ])
    expect(await seen(false)).toEqual([read])
  })
})

describeStore('--workspace-ttl', () => {
  test('deletes what nobody has used for so long, and keeps the rest and the main workspace', async () => {
    const fleet = await fleetOf(2)
    for (const name of ['old', 'new', 'busy'])
      expect((await ask(fleet.url(0), 'POST', '/_sandbox/workspaces', { name })).status).toBe(200)
    expect((await ask(fleet.url(1), 'GET', '/_sandbox/state?workspace=busy')).status).toBe(200)
    const postgres = await Postgres.open(fleet.store)
    closing.push(() => postgres.close())
    await postgres.run(
      `update $schema.workspace set used_at = used_at - interval '31 days' where name in ('old', 'busy', 'default')`,
    )
    // One that is in memory is in use, whatever its row says.
    expect(await new Store(postgres).expire(30 * 86_400_000, 'default')).toBe(1)
    const { json } = await ask(fleet.url(0), 'GET', '/_sandbox/workspaces')
    expect(json.workspaces.map(({ name }: { name: string }) => name)).toEqual(['default', 'new', 'busy'])
  })

  test('does so without being asked', async () => {
    const fleet = await fleetOf(1, { workspaceTtlMs: 1 })
    await ask(fleet.url(0), 'POST', '/_sandbox/workspaces', { name: 'alpha' })
    let names: string[]
    do {
      const { json } = await ask(fleet.url(0), 'GET', '/_sandbox/workspaces')
      names = json.workspaces.map(({ name }: { name: string }) => name)
    } while (names.length > 1)
    expect(names).toEqual(['default'])
    await signedIn(fleet.url(0))
  })
})

describeStore('TLS', () => {
  test('is spoken between replicas, each of which has a certificate of its own', async () => {
    const pairs = [1, 2, 3].map(() => selfSigned([], testMs))
    const fleet = await fleetOf(0)
    for (const pair of pairs) await fleet.add({ pair })
    const asked = (at: number, method: string, to: string, headers: Record<string, string>, body = '') =>
      new Promise<Pick<Asked, 'status' | 'json'>>((resolve, reject) => {
        const sent = request(
          fleet.url(at) + to,
          { method, ca: pairs[at]!.cert, agent: false, headers },
          (response) => {
            const parts: Buffer[] = []
            response.on('data', (part: Buffer) => parts.push(part))
            response.once('end', () =>
              resolve({ status: response.statusCode!, json: JSON.parse(Buffer.concat(parts).toString()) }),
            )
          },
        )
        sent.once('error', reject)
        sent.end(body)
      })
    const { clientId, clientSecret, apiKey } = standardSignIn
    const { json } = await asked(
      0,
      'POST',
      '/identity/v2/oauth2/token',
      {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'x-api-key': apiKey,
        'content-type': 'application/x-www-form-urlencoded',
      },
      'grant_type=client_credentials&scope=accounts',
    )
    const headers = { authorization: `Bearer ${json.access_token}`, 'content-type': 'application/json' }
    const to = `${accounts}/${everyday}/transfermultiple`
    for (const at of [0, 1, 2, 0, 1, 2]) {
      expect(fleet.url(at)).toMatch(/^https:/)
      expect((await asked(at, 'POST', to, headers, JSON.stringify(transferOf('a')))).status).toBe(200)
    }
    expect(fleet.holdings.flat()).toEqual(['default'])
  })
})

describeStore('store export and import', () => {
  test('carry all workspaces from one store to another', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'export-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'state.json')
    const fleet = await fleetOf(1)
    const made = await ask(fleet.url(0), 'POST', '/_sandbox/workspaces', { name: 'alpha' })
    const headers = await signedIn(fleet.url(0), made.json)
    expect(await transfer(fleet.url(0), headers, 'a')).toBe(200)
    const paid = await balance(fleet.url(0), headers)
    expect(await store(fleet.store, 'export', '--out', file)).toEqual({ code: 0, text: '' })
    expect(JSON.parse(readFileSync(file, 'utf8')).workspaces).toHaveLength(2)

    const other = await freshStore()
    expect(await store(other, 'import', file)).toMatchObject({ code: 0 })
    const again = await store(other, 'import', file)
    expect(again).toMatchObject({ code: 2, text: expect.stringContaining('default, alpha') })
    const copy = await Fleet.on(other, 2)
    fleets.push(copy)
    expect(await balance(copy.url(1), headers)).toBe(paid)
    expect(await transfer(copy.url(0), headers, 'b')).toBe(200)
    expect(await balance(fleet.url(0), headers)).toBe(paid)
    const status = JSON.parse((await store(other, 'status')).text)
    expect(status.schema).toBe(schemaVersion)
    expect(status.replicas).toHaveLength(2)

    const back = path.join(folder, 'back.json')
    const only = await freshStore()
    expect((await store(fleet.store, 'export', '--out', back, '--workspace', 'alpha')).code).toBe(0)
    expect((await store(only, 'import', back)).code).toBe(0)
    expect((await store(only, 'export', '--workspace', 'alpha')).text).toBe(readFileSync(back, 'utf8').trim())
    expect((await store(only, 'export', '--workspace', 'beta')).code).toBe(2)
  })

  test('refuse what is no state document, and a store without tables', async () => {
    const empty = await freshStore()
    expect(await store(empty, 'export')).toMatchObject({
      code: 1,
      text: expect.stringContaining('no tables'),
    })
    expect((await store(empty, 'import', path.join(import.meta.dirname, '..', 'package.json'))).code).toBe(2)
    expect((await store(empty, 'import', 'no-such-file.json')).code).toBe(1)
    expect((await store(empty, 'import')).code).toBe(2)
    expect((await store(empty, 'constructor')).code).toBe(2)
  })
})

describeStore('a pooler in transaction mode', () => {
  test('carries everything, as no transaction needs what another one left', async () => {
    const address = new URL(await freshStore())
    const pooler = await startPooler(address.hostname, Number(address.port || 5432))
    address.port = String(pooler.port)
    address.searchParams.set('prepare', '0')
    const fleet = await Fleet.on(address.href, 2)
    fleets.push(fleet)
    closing.push(() => pooler.close())
    const made = await ask(fleet.url(0), 'POST', '/_sandbox/workspaces', { name: 'alpha' })
    const headers = await signedIn(fleet.url(1), made.json)
    const before = await balance(fleet.url(0), headers)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, at) => transfer(fleet.url(at), headers, `t${at}`)),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    const owner = fleet.holdings.findIndex((names) => names.includes('alpha'))
    const [leaving] = fleet.replicas.splice(owner, 1)
    await leaving!.close()
    expect(await balance(fleet.url(0), headers)).toBeCloseTo(before + 20, 2)
    expect((await ask(fleet.url(0), 'DELETE', '/_sandbox/workspaces/alpha')).status).toBe(200)
    expect(pooler.transactions()).toBeGreaterThan(20)
  })
})

describeStore('an upgrade', () => {
  test('that changes the schema goes on under load, beside replicas of the version before', async () => {
    const fleet = await fleetOf(2)
    const headers = await signedIn(fleet.url(0))
    const before = await balance(fleet.url(0), headers)
    const postgres = await Postgres.open(fleet.store)
    closing.push(() => postgres.close())
    let turn = 0
    let isOver = false
    const statuses: number[] = []
    const load = Promise.all(
      [1, 2, 3].map(async () => {
        while (!isOver) statuses.push(await transfer(fleet.url(turn++), headers, 'load'))
      }),
    )
    const more = async (): Promise<void> => {
      const { length } = statuses
      while (statuses.length < length + 10) await ask(fleet.url(0), 'GET', '/livez')
    }
    await more()
    // What a newer program does as it starts.
    const newer = `alter table $schema.workspace add column note text;
      create index workspace_note on $schema.workspace (note)`
    expect(await migrate(postgres, [...migrations, newer])).toEqual({
      from: schemaVersion,
      to: schemaVersion + 1,
    })
    await more()
    await fleet.add()
    await more()
    const [leaving] = fleet.replicas.splice(0, 1)
    const gone = leaving!.close()
    await more()
    await gone
    isOver = true
    await load
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await balance(fleet.url(0), headers)).toBeCloseTo(before + statuses.length, 2)
    await postgres.run(`update $schema.meta set value = '99' where key = 'oldest-program'`)
    await expect(fleet.add()).rejects.toThrow('programs with schema 99 and newer can use')
  })
})
