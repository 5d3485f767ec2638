// docs/cards.md leads from nothing to a published rule: this test follows it, block by block.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { startSandbox } from '../src/index.js'
import { CardDesk } from './card-desk.js'

const walk = readFileSync('docs/cards.md', 'utf8').split(/^## /m)[1]!
const blocks = [...walk.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind, text]) => ({ kind, text: text! }))
const files: Readonly<Record<string, string>> = { js: 'main.js', json: 'env.json', yaml: 'card.test.yaml' }

/** A line of the document as the arguments after `card`. */
const argumentsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!).slice(3)

test('the walk of cards.md leads to a published, backtested rule', async () => {
  using desk = new CardDesk()
  await using sandbox = await startSandbox({ now: '2026-03-25T08:00:00Z' })
  let printed = ''
  let answer = ''
  const done: string[] = []
  for (const { kind, text } of blocks) {
    if (kind === 'text') {
      const [expected, rest] = text.trimEnd().split('\n…')
      expect(rest === undefined ? printed : printed.slice(0, expected!.length)).toBe(expected)
      printed = ''
    } else if (kind !== 'sh') desk.write(files[kind!]!, text)
    else
      for (const line of text.replaceAll('\\\n', '').trim().split('\n')) {
        const [program, name] = line.split(' ')
        if (program === 'cd') desk.directory = join(desk.directory, name!)
        else if (program === 'curl') {
          const asked = line.replaceAll('http://127.0.0.1:3300', sandbox.url)
          answer = (await promisify(execFile)('sh', ['-c', asked])).stdout
        } else if (line.includes('card watch')) {
          const watch = desk.watch(argumentsOf(line.replace('http://127.0.0.1:3300', sandbox.url)).join(' '))
          expect(await watch.next()).toContain(` published on card 700615 of ${sandbox.url}`)
          expect(await watch.quit()).toBe(0)
        } else if (line !== 'npx sandbox-server') {
          const { code, out, err } = await desk.card(argumentsOf(line))
          expect([line, code, err]).toEqual([line, 0, ''])
          printed += (printed === '' ? '' : '\n') + out
        }
        done.push(program === 'npx' ? (line.split(' ')[3] ?? 'start') : program!)
      }
    if (text.includes('card init')) printed = ''
  }
  expect(done).toEqual(['init', 'cd', 'lint', 'test', 'run', 'backtest', 'start', 'watch', 'curl'])
  expect(JSON.parse(answer)).toMatchObject({ decision: 'declined', reason: 'declined-by-code' })
  expect(desk.read('report.html')).toContain('<svg')
})
