// Scenario files are bounded, and reading them takes time in proportion to their length.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { card as cardKey } from '../../test/ids.js'
import { loadScenario, loadScenarioFile, ScenarioError } from './scenario.js'

const folder = mkdtempSync(join(tmpdir(), 'scenario-limits-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function refusal(text: string): Promise<string[]> {
  const file = join(folder, 'scenario.yaml')
  writeFileSync(file, text)
  const error: unknown = await loadScenarioFile(file).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ScenarioError)
  return (error as Error).message.replaceAll(`${folder}/`, '').split('\n')
}

const head = 'name: large\ndescription: Large.\n'

test('accounts have a million rows together at most', async () => {
  const accounts = [0, 1, 2].map((index) => ({
    accountId: `${10_000 + index}`.padStart(25, '4'),
    rows: 400_000,
  }))
  await expect(loadScenario({ name: 'large', description: 'Large.', accounts })).rejects.toThrow(
    '/accounts must have at most 1000000 rows together, and have 1200000',
  )
  const fitting = accounts.map((account) => ({ ...account, rows: 300_000 }))
  const { base } = await loadScenario({ name: 'large', description: 'Large.', accounts: fitting })
  expect(base.accounts.filter(({ habits }) => habits.rows === 300_000)).toHaveLength(3)
})

test("a card's variables are bounded as in the API", async () => {
  const card = (variables: Record<string, string>) => ({
    name: 'large',
    description: 'Large.',
    cards: [{ cardKey, variables }],
  })
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`N${index}`, '']))
  await expect(loadScenario(card(many))).rejects.toThrow('/cards/0/variables must NOT have more than 200')
  await expect(loadScenario(card({ A: 'x'.repeat(32_769) }))).rejects.toThrow('32768')
  await expect(loadScenario(card({ ['n'.repeat(129)]: '' }))).rejects.toThrow('128')
})

test('60,000 unknown keys are read in one pass', async () => {
  const keys = Array.from({ length: 60_000 }, (_, index) => `key${index}: 1`).join('\n')
  const lines = await refusal(head + keys)
  expect(lines).toHaveLength(100)
  expect(lines[0]).toMatch(/^scenario\.yaml:3: \/key0 is not a known field; known are \$schema, name, /)
  expect(lines[1]).toBe('scenario.yaml:4: /key1 is not a known field')
})

test('a duplicate key is named with its line', async () => {
  expect(await refusal(`${head}seed: 1\nseed: 2\n`)).toEqual(['scenario.yaml:4: Map keys must be unique'])
})

test.each([
  ['brackets', `${head}accounts: ${'['.repeat(50_000)}`],
  ['braces', `${head}accounts: ${'{a: '.repeat(50_000)}`],
  ['dashes', `${head}accounts:\n${'- '.repeat(50_000)}x`],
  ['lines', `${head}${Array.from({ length: 2_000 }, (_, depth) => `${' '.repeat(depth)}k:`).join('\n')} v`],
])('a file whose %s nest deeply is refused before it is parsed', async (_, text) => {
  expect(await refusal(text)).toEqual(['scenario.yaml must not nest values more than 100 deep.'])
})

test('control characters of a file are escaped in messages', async () => {
  const [line] = await refusal(`${head}"\\e[2J\\u202e": 1\n`)
  expect(line).toMatch(/^scenario\.yaml:3: \/\\u001b\[2J\\u202e is not a known field; known are [ -~]*$/)
})
