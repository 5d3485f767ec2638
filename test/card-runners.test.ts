// defineCardTests in the runners themselves, from the package as a project has it: by its name, below node_modules.
// Vitest is not a dependency: examples/vitest covers it.

import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { CardDesk } from './card-desk.js'

const cases = `now: 2026-03-25T08:00:00Z
cases:
  cheap: { swipe: { rand: 100 }, expect: approved }
  rows:
    each: [{ rand: 500, expect: approved }, { name: too much, rand: 501, expect: approved }]
`
const jest = join(process.cwd(), 'node_modules/jest/bin/jest.js')

/** A project that has the package, with a test file for one runner. */
function project(runner: string, file: string): CardDesk {
  const desk = new CardDesk({
    'package.json': '{ "name": "project", "type": "module", "jest": { "transform": {} } }',
    'main.js': 'const beforeTransaction = async ({ centsAmount }) => centsAmount <= 50000\n',
    'card.test.yaml': cases,
    'broken.card.test.yaml': 'cases: {}\n',
    [file]: `import { defineCardTests } from '${runner}'
defineCardTests('card.test.yaml')
defineCardTests(new URL('broken.card.test.yaml', import.meta.url))
`,
  })
  mkdirSync(join(desk.directory, 'node_modules'))
  symlinkSync(process.cwd(), join(desk.directory, 'node_modules/sandbox-server'), 'dir')
  return desk
}

/** The output of a program, and its exit code. */
const run = (cwd: string, ...args: string[]): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    // A process under Node's own runner reports in another form.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
    execFile(process.execPath, args, { cwd, env }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, text: out + err })
    })
  })

/** The lines that say why the failing case failed. */
const failure = /rows \[2\] too much[\s\S]*expected {2}approved[\s\S]*got {7}declined/

test('node --test runs each case', async () => {
  using desk = project('sandbox-server/card', 'card.test.js')
  const { code, text } = await run(desk.directory, '--test', '--test-reporter=tap', 'card.test.js')
  expect(code).toBe(1)
  const lines = [...text.matchAll(/^ *(not ok|ok) \d+ - (.*)$/gm)].map(([, end, name]) => `${end!} ${name!}`)
  expect(lines.filter((line) => !line.includes('test.js'))).toEqual([
    'ok cheap',
    'ok rows [1] 500',
    'not ok rows [2] too much',
    'not ok card.test.yaml',
    'not ok can be read',
    'not ok broken.card.test.yaml',
  ])
  expect(text).toMatch(failure)
  expect(text).toContain('card.test.yaml:5')
  expect(text).toContain('/cases must NOT have fewer than 1 properties')
})

test('jest runs each case', async () => {
  using desk = project('sandbox-server/jest', 'card.test.mjs')
  const { code, text } = await run(
    desk.directory,
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    jest,
    '--verbose',
    '--no-colors',
  )
  expect(code).toBe(1)
  const lines = [...text.matchAll(/^ *([✓✕]) (.*?)(?: \(\d+ ms\))?$/gm)].map(
    ([, end, name]) => `${end!} ${name!}`,
  )
  expect(lines).toEqual(['✓ cheap', '✓ rows [1] 500', '✕ rows [2] too much', '✕ can be read'])
  expect(text).toMatch(failure)
  expect(text).toContain('/cases must NOT have fewer than 1 properties')
})
