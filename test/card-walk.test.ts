// docs/cards.md and docs/card-loop.md lead from nothing to a published rule: this test follows them, block by block.

import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { startSandbox } from '../src/index.js'
import { CardDesk } from './card-desk.js'
import { shownLine } from './shown-line.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
/** Where blocks of these kinds are saved. */
const files: Readonly<Record<string, string>> = {
  js: 'main.js',
  mjs: 'card.test.mjs',
  json: 'env.json',
  yaml: 'card.test.yaml',
}

/** The blocks of a document that are typed or saved, and their outputs: those with nothing behind their kind. */
const blocksOf = (text: string) =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind, block]) => ({ kind: kind!, text: block! }))

/** A line of the document as the arguments after `card`. */
const argumentsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!).slice(3)

/** Types what a document shows. Returns the commands that were typed, and what was printed last. */
async function follow(desk: CardDesk, document: string): Promise<{ done: string[]; printed: string }> {
  await using sandbox = await startSandbox({ now: '2026-03-25T08:00:00Z' })
  const local = (line: string): string => line.replaceAll('http://127.0.0.1:3300', sandbox.url)
  const done: string[] = []
  let printed: string[] = []
  for (const { kind, text } of blocksOf(document)) {
    if (kind === 'text') {
      expectShown(text.trimEnd().split('\n'), printed)
      continue
    }
    if (kind !== 'sh') {
      desk.write(files[kind]!, text)
      continue
    }
    printed = []
    for (const line of text.replaceAll('\\\n', '').trim().split('\n')) {
      const [program, name, ...operands] = line.split(' ')
      done.push(program === 'npx' ? (operands[1] ?? 'start') : program!)
      if (program === 'cd') desk.directory = join(desk.directory, name!)
      else if (program === 'cp') copyFileSync(join(desk.directory, name!), join(desk.directory, operands[0]!))
      else if (program === 'curl') printed = [(await run('sh', ['-c', local(line)])).stdout]
      else if (program === 'node') {
        const env = { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined }
        printed = (await run(process.execPath, [name!], { cwd: desk.directory, env })).stdout.split('\n')
        expect(printed).toContainEqual(expect.stringMatching(/^(#|ℹ) fail 0$/))
      } else if (line.includes('card watch')) {
        const watch = desk.watch(argumentsOf(local(line)).join(' '))
        expect(await watch.next()).toContain(` published on card 700615 of ${sandbox.url}`)
        expect(await watch.quit()).toBe(0)
      } else if (done.at(-1) !== 'start') {
        const { code, out, err } = await desk.card(argumentsOf(local(line)))
        expect([line, code, err]).toEqual([line, 0, ''])
        printed.push(...out.split('\n'))
      }
    }
  }
  return { done, printed: printed.join('\n') }
}

/** `…` alone on a line stands for any number of lines. */
function expectShown(shown: readonly string[], printed: readonly string[]): void {
  let next = 0
  let mayJump = false
  for (const line of shown) {
    if (line !== '…') {
      if (mayJump) next = printed.findIndex((each, index) => index >= next && shownLine(line).test(each))
      expect([line, printed[next] ?? 'nothing']).toEqual([line, expect.stringMatching(shownLine(line))])
      next++
    }
    mayJump = line === '…'
  }
  if (!mayJump) expect(printed.slice(next)).toEqual([])
}

/** A walk starts fifteen programs or so, one after the other. */
const walkMs = 120_000

test(
  'the walk of cards.md leads to a published, backtested rule',
  async () => {
    using desk = new CardDesk()
    const [, walk] = readFileSync('docs/cards.md', 'utf8').split(/^## /m)
    const { done, printed } = await follow(desk, walk!)
    expect(done).toEqual(['init', 'cd', 'lint', 'test', 'run', 'backtest', 'start', 'watch', 'curl'])
    expect(JSON.parse(printed)).toMatchObject({ decision: 'declined', reason: 'declined-by-code' })
    expect(desk.read('report.html')).toContain('<svg')
  },
  walkMs,
)

test(
  'the walk of card-loop.md leads from a template to a recorded case',
  async () => {
    using desk = new CardDesk()
    mkdirSync(join(desk.directory, 'node_modules'))
    symlinkSync(root, join(desk.directory, 'node_modules/sandbox-server'), 'junction')
    const [walk] = readFileSync('docs/card-loop.md', 'utf8').split(/^## TypeScript/m)
    const { done, printed } = await follow(desk, walk!)
    expect(done.join(' ')).toBe(
      'init cd run cp lint test test test node backtest start curl watch curl record test',
    )
    expect(printed).toMatch(/^1 of 1 passed$/m)
    expect(desk.read('recorded.card.test.yaml')).toContain('isAllowed: false')
  },
  walkMs,
)
