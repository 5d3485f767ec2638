import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { CardDesk } from '../../test/card-desk.js'
import { startSandbox, type StartedSandbox } from '../index.js'
import { FileWatch } from '../scenario/file-watch.js'

const approves = (limit: number) =>
  `const beforeTransaction = async ({ centsAmount }) => centsAmount <= ${limit}\n`
const cases = `now: 2026-03-25T08:00:00Z
cases:
  cheap: { swipe: { rand: 100 }, expect: approved }
  dear: { swipe: { rand: 600 }, expect: declined }
`
const keys = ' a all  f failed  u update  o page  q quit'

test('the transcript: a failing case, its repair, one screen for each edit', async () => {
  using desk = new CardDesk({ 'main.js': approves(90_000), 'card.test.yaml': cases })
  const watch = desk.watch('watch')
  expect(await watch.next()).toBe(` ✓ cheap                            approved       0 ms
 ✕ dear                             APPROVED       0 ms
   decision
     expected  declined
     got       approved
 1 of 2 · lint clean
${keys}`)
  expect(watch.isRaw).toBe(true)
  desk.write('main.js', approves(50_000))
  expect(await watch.next()).toBe(` ✓ cheap                            approved       0 ms
 ✓ dear                             declined       0 ms
 2 of 2 · lint clean
${keys}`)
  // Writing the same text is not an edit.
  desk.write('main.js', approves(50_000))
  desk.write('main.js', approves(1))
  expect(await watch.next()).toContain(' 1 of 2 · lint clean')
  expect(await watch.quit()).toBe(0)
  expect(watch.screens).toHaveLength(3)
  expect(watch.isRaw).toBe(false)
})

test('an editor that writes a new file and renames it is followed', async () => {
  using desk = new CardDesk({ 'main.js': approves(50_000), 'card.test.yaml': cases })
  const watch = desk.watch('watch main.js')
  await watch.next()
  for (const [limit, passed] of [
    [1, '1 of 2'],
    [50_000, '2 of 2'],
  ] as const) {
    desk.write('main.js.swp', approves(limit))
    renameSync(join(desk.directory, 'main.js.swp'), join(desk.directory, 'main.js'))
    expect(await watch.next()).toContain(` ${passed} `)
  }
  await watch.quit()
  expect(watch.screens).toHaveLength(3)
})

test('syntax errors, deleted files, broken tests and new ones are shown, and watching continues', async () => {
  using desk = new CardDesk({ 'main.js': approves(50_000), 'card.test.yaml': cases })
  const watch = desk.watch('watch')
  await watch.next()
  desk.write('main.js', 'const beforeTransaction = async () => {\n')
  const broken = await watch.next()
  expect(broken).toContain(' 0 of 2 · lint 1 error')
  expect(broken).toContain('main.js:2:1  error  main.js does not parse: Unexpected token.  syntax')
  rmSync(join(desk.directory, 'main.js'))
  expect(await watch.next()).toBe(` There is no file main.js.\n${keys}`)
  desk.write('main.js', approves(50_000))
  expect(await watch.next()).toContain(' 2 of 2 · lint clean')
  desk.write('card.test.yaml', 'cases:\n  a: { swpie: {} }\n')
  expect(await watch.next()).toContain(
    ' card.test.yaml:2: /cases/a/swpie is not a known key: did you mean swipe?',
  )
  desk.write('more.card.test.yaml', cases)
  expect(await watch.next()).toContain(' 2 of 2 · lint clean')
  // The variables that a test file names are watched before the file exists.
  desk.write('card.test.yaml', cases.replace('cases:', 'env: other.json\ncases:'))
  expect(await watch.next()).toContain(' There is no file other.json.')
  desk.write('other.json', '{}')
  expect(await watch.next()).toContain(' 4 of 4 · lint clean')
  expect(await watch.quit()).toBe(0)
})

test('f runs the failed cases, also after edits, and a runs all', async () => {
  using desk = new CardDesk({ 'main.js': approves(90_000), 'card.test.yaml': cases })
  const watch = desk.watch('watch')
  await watch.next()
  watch.press('f')
  expect(await watch.next()).toContain(' 0 of 1 (failed ones) · lint clean')
  desk.write('main.js', approves(80_000))
  expect(await watch.next()).toContain(' 0 of 1 (failed ones) · lint clean')
  desk.write('main.js', approves(50_000))
  const mended = await watch.next()
  expect(mended).toContain(' 1 of 1 (failed ones) · lint clean')
  expect(mended).not.toContain('cheap')
  watch.press('a')
  expect(await watch.next()).toContain(' 2 of 2 · lint clean')
  // An unknown key.
  watch.press('x')
  expect(await watch.quit()).toBe(0)
  expect(watch.screens).toHaveLength(5)
})

test('u writes decisions into cases without expect, and Ctrl-C ends', async () => {
  using desk = new CardDesk({
    'main.js': approves(50_000),
    'card.test.yaml': 'now: 2026-03-25T08:00:00Z\ncases:\n  a: { swipe: { rand: 600 } }\n',
  })
  const watch = desk.watch('watch')
  await watch.next()
  watch.press('u')
  await watch.next()
  expect(desk.read('card.test.yaml')).toContain('a: { swipe: { rand: 600 }, expect: declined }')
  expect(await watch.next()).toContain(' 1 of 1 · lint clean')
  watch.press('o')
  expect(await watch.next()).toBe(' o opens the page of a running sandbox: give --publish CARD --server URL.')
  watch.press('\u0003')
  expect(await watch.ended).toBe(0)
  expect(watch.isRaw).toBe(false)
})

test('card test --watch watches the code of every test file', async () => {
  using desk = new CardDesk({
    'one/main.js': approves(50_000),
    'one/card.test.yaml': cases,
    'two/main.js': approves(50_000),
    'two/card.test.yaml': cases,
  })
  const watch = desk.watch('test --watch')
  const first = await watch.next()
  expect(first.split('\n').filter((line) => /main\.js|of 2/.test(line))).toEqual([
    'one/main.js',
    ' 2 of 2 · lint clean',
    'two/main.js',
    ' 2 of 2 · lint clean',
  ])
  desk.write('two/main.js', approves(1))
  expect((await watch.next()).split('\n').filter((line) => line.includes(' of 2'))).toEqual([
    ' 2 of 2 · lint clean',
    ' 1 of 2 · lint clean',
  ])
  await watch.quit()
})

test('a signal ends it, and restores the terminal', async () => {
  using desk = new CardDesk({ 'main.js': approves(1), 'card.test.yaml': cases })
  const watch = desk.watch('watch')
  await watch.next()
  process.emit('SIGTERM')
  expect(await watch.ended).toBe(0)
  expect(watch.isRaw).toBe(false)
})

test('a file is checked when the system reports nothing, and its content decides whether it changed', async () => {
  using desk = new CardDesk({ 'main.js': 'one' })
  const waiting: (() => void)[] = []
  let told = 0
  const watch = new FileWatch(
    () => {
      told++
      waiting.shift()?.()
    },
    { pollMs: 5, isNotified: false },
  )
  const change = () => new Promise<void>((resolve) => waiting.push(resolve))
  watch.add(join(desk.directory, 'main.js'))
  const changed = change()
  desk.write('main.js', 'three')
  await changed
  const deleted = change()
  rmSync(join(desk.directory, 'main.js'))
  await deleted
  const back = change()
  desk.write('main.js', 'three')
  await back
  watch.close()
  expect(told).toBe(3)
})

/** The published code of a card of a running sandbox, and its number of versions. */
async function publishedOn(sandbox: StartedSandbox) {
  const program = await fetch(`${sandbox.url}/_sandbox/cards/700615/program`)
  const { publishedCode, version, variables } = (await program.json()) as {
    publishedCode: string | null
    version: number
    variables: object
  }
  return { publishedCode, version, variables }
}

test('--publish publishes code on a card of a running sandbox only when all cases pass', async () => {
  await using sandbox = await startSandbox({ now: '2026-03-25T08:00:00Z' })
  using desk = new CardDesk({
    'main.js': approves(90_000),
    'card.test.yaml': cases,
    'env.json': '{ "MODE": "x" }',
  })
  const before = await publishedOn(sandbox)
  const watch = desk.watch(`watch --publish 700615 --server ${sandbox.url}`)
  expect(await watch.next()).toContain('\n not published\n')
  expect(await publishedOn(sandbox)).toEqual(before)
  watch.press('f')
  await watch.next()
  desk.write('main.js', approves(50_000))
  expect(await watch.next()).toContain(' not published: not all cases ran, a runs them')
  watch.press('a')
  expect(await watch.next()).toContain(` published on card 700615 of ${sandbox.url}`)
  const after = await publishedOn(sandbox)
  expect(after).toMatchObject({ publishedCode: approves(50_000), variables: { MODE: 'x' } })
  // A test file that cannot be read may contain a failing case.
  desk.write('broken.card.test.yaml', 'cases: [')
  expect(await watch.next()).toContain('\n not published\n')
  rmSync(join(desk.directory, 'broken.card.test.yaml'))
  expect(await watch.next()).toContain(' published on card 700615')
  expect((await publishedOn(sandbox)).version).toBe(after.version)
  await watch.quit()
})

test('--publish needs an existing card, and cases', async () => {
  await using sandbox = await startSandbox({ now: '2026-03-25T08:00:00Z' })
  using desk = new CardDesk({ 'main.js': approves(50_000) })
  const watch = desk.watch(`watch --publish 1 --server ${sandbox.url}`)
  expect(await watch.next()).toContain(' not published: there are no cases')
  desk.write('card.test.yaml', cases)
  expect(await watch.next()).toContain(' PUT /_sandbox/cards/1/program is answered with 400: No card "1".')
  await watch.quit()
})
