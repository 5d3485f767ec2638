// What a store gives back is what it got, whatever was done in between.

import { createHash } from 'node:crypto'
import { expect } from '@jest/globals'
import fc from 'fast-check'
import { Client, everyday, sandboxAt, savings, testMs } from '../../test/client.js'
import { describeStore, freshStore, test } from '../../test/team-store.js'
import { Sandbox } from '../sandbox/sandbox.js'
import { stateText } from '../workspace/state.js'
import type { Workspace } from '../workspace/workspace.js'
import { load } from './load.js'
import { Postgres } from './postgres.js'
import { Saved } from './saved.js'
import { migrate, migrations, schemaVersion, versionOf } from './schema.js'
import { shownText } from './shown.js'
import { Store, type Claim } from './store.js'

type Operation = readonly [method: string, path: string, body?: object]

const accounts = '/za/pb/v1/accounts'
const amount = fc.integer({ min: 1, max: 90_000 }).map((cents) => (cents / 100).toFixed(2))
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('\ud800', '\u0000', '"\\', 'é😀'),
)
const post = (path: string, body: object): Operation => ['POST', path, body]

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.tuple(amount, text).map(([cents, myReference]) =>
    post(`${accounts}/${everyday}/transfermultiple`, {
      transferList: [{ beneficiaryAccountId: savings, amount: cents, myReference, theirReference: 'x' }],
    }),
  ),
  fc
    .tuple(amount, fc.constantFrom('CREDIT', 'DEBIT'))
    .map(([cents, type]) =>
      post(`/_sandbox/accounts/${everyday}/entries`, { type, amount: cents, description: 'entry' }),
    ),
  text.map((referenceName) => post('/_sandbox/accounts', { referenceName })),
  text.map((beneficiaryName) =>
    post('/_sandbox/beneficiaries', { beneficiaryName, accountNumber: '620001' }),
  ),
  text.map((embossedName) => post('/_sandbox/cards', { accountId: everyday, embossedName })),
  text.map((alias) => post('/_sandbox/api-keys', { alias, accounts: 'all', permissions: ['accounts'] })),
  fc.integer({ min: 1, max: 9_999 }).map((centsAmount) =>
    post('/_sandbox/cards/700622/transactions', {
      centsAmount,
      currencyCode: 'zar',
      merchant: { name: 'Shop' },
    }),
  ),
  text.map((code) => post('/za/v1/cards/700615/code', { code: `// ${code}` })),
  fc.constantFrom('PT1H', 'P1D', 'P3D', 'P40D').map((advance) => post('/_sandbox/clock', { advance })),
  fc
    .constantFrom('get', 'post')
    .map((method) =>
      post('/_sandbox/faults', { match: { method }, fault: { status: 500 }, probability: 0.3, times: 2 }),
    ),
  fc.constant<Operation>(['GET', `${accounts}/${everyday}/balance`]),
  fc.constant<Operation>(['DELETE', '/_sandbox/faults']),
  fc.constant(post('/_sandbox/settings', { rateLimit: { requests: 50, per: 'PT1M' } })),
  fc.constant(post('/_sandbox/reset', {})),
  fc.constant(post('/_sandbox/scenario', { scenario: 'payday' })),
  fc.constant(post('/_sandbox/checkpoints', { name: 'here' })),
  fc.constant(post('/_sandbox/checkpoints/c1/restore', {})),
  fc.constant<Operation>(['GET', 'token']),
)

const documentOf = (workspace: Workspace): string => stateText(workspace.state(workspace.bank!))
/** Short, so that a difference does not fill the screen. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A workspace that is stored as a replica does it. */
class Kept {
  saved = new Saved(false)
  claim!: Claim

  constructor(
    readonly store: Store,
    readonly workspace: Workspace,
  ) {}

  async add(): Promise<void> {
    const bank = await this.workspace.open()
    const commit = this.saved.compare(this.workspace, bank, shownText(this.workspace))
    this.claim = (await this.store.add(
      this.workspace.name,
      { mark: '', owner: 'me', controlHash: null },
      commit,
    ))!
  }

  async write(): Promise<number> {
    const bank = await this.workspace.open()
    const commit = this.saved.compare(this.workspace, bank, shownText(this.workspace))
    expect(await this.store.commit(this.claim, 'me', commit)).toBe(true)
    return commit.puts.reduce((sum, { value }) => sum + value.length, 0)
  }

  /** The workspace as another process would have it, and what is left to write. */
  async read(sandbox: Sandbox): Promise<{ kept: Kept; left: number }> {
    const workspace = sandbox.workspaces.make(this.workspace.name)
    const [row] = await this.store.postgres.run<{ history: string | null }>(
      'select history from $schema.workspace where id = $1',
      this.claim.id,
    )
    const parts = await this.store.parts(this.claim.id)
    const kept = new Kept(this.store, workspace)
    kept.claim = this.claim
    kept.saved = await load(
      workspace,
      { history: row!.history, parts },
      (id) => this.store.history(id),
      false,
    )
    const { puts, deletes } = kept.saved.compare(workspace, workspace.bank!, shownText(workspace))
    return { kept, left: puts.length + deletes.length }
  }
}

async function begin(): Promise<{ store: Store; sandbox: Sandbox; kept: Kept }> {
  const postgres = await Postgres.open(await freshStore())
  await migrate(postgres)
  const store = new Store(postgres)
  const sandbox = sandboxAt(testMs)
  const kept = new Kept(store, sandbox.main)
  await kept.add()
  return { store, sandbox, kept }
}

describeStore('the store', () => {
  test('gives back the same workspace, byte for byte, after any operations', async () => {
    const { store } = await begin()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(operation, { maxLength: 6 }), { minLength: 1, maxLength: 5 }),
        async (rounds) => {
          await store.postgres.run('delete from $schema.workspace')
          let sandbox = sandboxAt(testMs)
          let kept = new Kept(store, sandbox.main)
          await kept.add()
          for (const [index, round] of rounds.entries()) {
            const client = await Client.of(sandbox)
            for (const [method, path, body] of round)
              if (path === 'token') await Client.of(sandbox)
              else await client.call(method, path, body)
            await kept.write()
            const elsewhere = sandboxAt(testMs + 1_000)
            const { kept: copy, left } = await kept.read(elsewhere)
            expect(digest(documentOf(copy.workspace))).toBe(digest(documentOf(kept.workspace)))
            expect(left).toBe(0)
            // Every other round goes on with what was loaded.
            if (index % 2 === 0) continue
            elsewhere.workspaces.put(copy.workspace)
            kept = copy
            sandbox = elsewhere
          }
        },
      ),
      { numRuns: 25 },
    )
    await store.postgres.close()
  })

  test('writes little for a payment, and keeps the generated history once', async () => {
    const { store, sandbox, kept } = await begin()
    const client = await Client.of(sandbox)
    await kept.write()
    const sizes: number[] = []
    for (let i = 0; i < 200; i++) {
      await client.call('POST', `${accounts}/${everyday}/transfermultiple`, {
        transferList: [
          { beneficiaryAccountId: savings, amount: '0.01', myReference: `p${i}`, theirReference: 'x' },
        ],
      })
      sizes.push(await kept.write())
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20_480)
    const [{ bytes, histories, segments }] = (await store.postgres.run<Record<string, number>>(
      `select (select bytes from $schema.workspace)::int as bytes, (select count(*) from $schema.history)::int as histories,
        (select count(*) from $schema.part where kind = 'entries')::int as segments`,
    )) as [Record<string, number>]
    expect(histories).toBe(1)
    expect(segments).toBeLessThan(2 * 64 + 8)
    expect(bytes).toBeLessThan(150_000)
    expect(digest(documentOf((await kept.read(sandboxAt(testMs))).kept.workspace))).toBe(
      digest(documentOf(kept.workspace)),
    )
    await store.postgres.close()
  })

  test('reads a history that this program would make differently, and writes it out', async () => {
    const { store, sandbox, kept } = await begin()
    const client = await Client.of(sandbox)
    await client.call('POST', `/_sandbox/accounts/${everyday}/entries`, {
      type: 'CREDIT',
      amount: '7',
      description: 'x',
    })
    await kept.write()
    const before = documentOf(kept.workspace)
    // As if another version had made other texts.
    await store.postgres.run(
      `update $schema.history set id = 'other', value = replace(value, 'BROUGHT FORWARD', 'CARRIED FORWARD')`,
    )
    await store.postgres.run(`update $schema.workspace set history = 'other'`)
    const { kept: copy, left } = await kept.read(sandboxAt(testMs))
    expect(left).toBeGreaterThan(0)
    expect(digest(documentOf(copy.workspace))).toBe(
      digest(before.replaceAll('BROUGHT FORWARD', 'CARRIED FORWARD')),
    )
    copy.saved = new Saved(false)
    await store.postgres.run('delete from $schema.part')
    await copy.write()
    const again = await copy.read(sandboxAt(testMs))
    expect(digest(documentOf(again.kept.workspace))).toBe(digest(documentOf(copy.workspace)))
    await store.postgres.close()
  })

  test('refuses the commit of a former owner', async () => {
    const { store, sandbox, kept } = await begin()
    await store.register('other', { address: 'http://other' }, '1')
    const claim = await store.claim('default', 'other')
    expect(Number(claim!.epoch)).toBe(2)
    const client = await Client.of(sandbox)
    await client.call('POST', '/_sandbox/reset', {})
    const commit = kept.saved.compare(sandbox.main, await sandbox.main.open(), shownText(sandbox.main))
    expect(await store.commit(kept.claim, 'me', commit)).toBe(false)
    expect(await store.owns(kept.claim, 'me')).toBe(false)
    expect(await store.owns(claim!, 'other')).toBe(true)
    await store.postgres.close()
  })

  test('migrates under a lock, also from an older schema that is in use', async () => {
    const postgres = await Postgres.open(await freshStore())
    expect(await versionOf(postgres)).toBe(0)
    expect(await migrate(postgres, migrations.slice(0, 1))).toEqual({ from: 0, to: 1 })
    const several = await Promise.all([migrate(postgres), migrate(postgres), migrate(postgres)])
    expect(several.filter(({ from }) => from === 1)).toHaveLength(1)
    expect(await versionOf(postgres)).toBe(schemaVersion)
    await postgres.close()
  })
})
