// The option `watch`: the code of a card follows the file that the scenario names.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createSandbox, OptionError, startSandbox } from '../index.js'
import type { CodeReload } from './code-watch.js'
import { Sandbox } from './sandbox.js'

const card = '700615'
const approves = (most: number) =>
  `const beforeTransaction = async ({ centsAmount }) => centsAmount <= ${most}\n`

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'code-watch-'))
  write('main.js', approves(50_000))
  write(
    'mine.yaml',
    `name: mine\ndescription: Mine.\nclock: { now: 2026-03-25T08:00:00Z }\ncards:\n  - { cardKey: '${card}', enabled: true, codeFile: ./main.js }\n`,
  )
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

/** A sandbox that watches, and its reports, as promises in their order. */
async function watching() {
  const sandbox = await Sandbox.create({ scenario: join(folder, 'mine.yaml'), watch: true })
  const told: CodeReload[] = []
  let wake = (): void => undefined
  sandbox.onReload = (reload) => {
    told.push(reload)
    wake()
  }
  const next = async (): Promise<CodeReload> => {
    while (told.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return told.shift()!
  }
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await sandbox.handle({ method, path, headers, ...(body && { body: JSON.stringify(body) }) })
    return JSON.parse(String(reply.body)) as Record<string, unknown>
  }
  const published = async (query = '') =>
    (await ask('GET', `/_sandbox/cards/${card}/program${query}`)).publishedCode
  return { sandbox, next, ask, published }
}

test('changed code is published in every workspace of the scenario, and balances stay', async () => {
  const { sandbox, next, ask, published } = await watching()
  try {
    const other = await ask('POST', '/_sandbox/workspaces', { name: 'other' })
    expect(other).toMatchObject({ scenario: 'mine' })
    await ask('POST', '/_sandbox/workspaces', { name: 'plain', scenario: 'payday' })
    const bought = await ask('POST', `/_sandbox/cards/${card}/transactions`, { centsAmount: 40_000 })
    expect(bought).toMatchObject({ decision: 'approved' })
    const held = sandbox.main.bank!.availableCents('4675778129910189600000003')

    write('main.js', approves(30_000))
    const text = `./main.js changed: published on card ${card}`
    expect([await next(), await next()]).toEqual([
      { workspace: 'default', text, isFault: false },
      { workspace: 'other', text, isFault: false },
    ])
    expect(await published()).toBe(approves(30_000))
    expect(await published('?workspace=other')).toBe(approves(30_000))
    expect(await published('?workspace=plain')).toBeNull()
    expect(sandbox.main.bank!.availableCents('4675778129910189600000003')).toBe(held)
    const refused = await ask('POST', `/_sandbox/cards/${card}/transactions`, { centsAmount: 40_000 })
    expect(refused).toMatchObject({ decision: 'declined', reason: 'declined-by-code' })

    // A reset returns to the new code, and an export holds it.
    await ask('POST', '/_sandbox/reset')
    expect(await published()).toBe(approves(30_000))
    const state = JSON.stringify(await ask('GET', '/_sandbox/state'))
    expect(state).toContain(JSON.stringify(approves(30_000)))
    expect(state).not.toContain(JSON.stringify(approves(50_000)))
  } finally {
    await sandbox.close()
  }
})

test('a file that is missing, too long or not JavaScript is reported', async () => {
  const { sandbox, next, published } = await watching()
  try {
    rmSync(join(folder, 'main.js'))
    const gone = await next()
    expect(gone).toMatchObject({ workspace: 'default', isFault: true })
    expect(gone.text).toMatch(/^\.\/main\.js cannot be read: ENOENT.*; card 700615 keeps its code$/)
    expect(await published()).toBe(approves(50_000))
    write('main.js', 'x'.repeat(300_000))
    const long = await next()
    expect(long).toMatchObject({ isFault: true })
    expect(long.text).toMatch(/^\.\/main\.js changed, but card 700615 refuses it: .*\/code.*262,?144/)
    write('main.js', 'const beforeTransaction = async () => {\n  return )\n}\n')
    expect(await next()).toEqual({
      workspace: 'default',
      text: "./main.js changed: published on card 700615, but line 2 is wrong: Unexpected token ')'",
      isFault: true,
    })
    write('main.js', approves(1))
    expect(await next()).toMatchObject({ isFault: false })
    expect(await published()).toBe(approves(1))
  } finally {
    await sandbox.close()
  }
})

test('what is watched must be a file', async () => {
  const text = 'Option watch needs Option scenario with the path of a file'
  for (const options of [{}, { scenario: 'payday' }, { scenario: { name: 'a', description: 'b' } }])
    for (const begin of [createSandbox, startSandbox]) {
      const refused = begin({ ...options, watch: true })
      await expect(refused).rejects.toThrow(OptionError)
      await expect(refused).rejects.toThrow(text)
    }
  await using sandbox = await createSandbox({ scenario: join(folder, 'mine.yaml'), watch: true })
  expect((await sandbox.cards.program(card)).publishedCode).toBe(approves(50_000))
})
