import { afterAll, describe, expect, jest, test } from '@jest/globals'
import fc from 'fast-check'
import { createRunner } from './host/runner.js'
import { lintCard } from './lint/lint.js'
import { sourceFault } from './source-limits.js'
import { textRanges } from './source-text.js'

const runner = createRunner({ maxWorkers: 1 })
afterAll(() => runner.close())

const run = async (source: string) =>
  (
    await runner.run({
      hook: 'hook',
      source,
      variables: {},
      payload: {},
      windowMs: 5_000,
      time: { nowMs: 1_700_000_000_000, frozen: false },
      seed: 1,
      policy: 'allow',
    })
  ).settled

const hook = 'const hook = () => 1;\n'

describe.each([
  ['/\\p{L}/u;\n', 200, 'Unicode property escapes (\\p{…} or \\P{…})'],
  ['/[\\P{L}]/u;\n', 200, 'Unicode property escapes (\\p{…} or \\P{…})'],
  ['/[\\W]/iu;\n', 500, 'escapes \\W'],
  ['/(?<a>b)/;\n', 500, 'named groups (?<name>…)'],
])('%j', (pattern, most, name) => {
  const allowed = hook + pattern.repeat(most)
  const refused = allowed + pattern
  const message = `more than ${most} ${name} in main.js`
  const line = most + 2

  test('is counted', () => {
    expect(sourceFault(allowed)).toBeUndefined()
    expect(sourceFault(refused)).toEqual({ message, line })
  })

  test('runs up to the limit, and is a syntax error above it', async () => {
    expect(await run(allowed)).toMatchObject({ end: 'returned', value: 1 })
    expect(await run(refused)).toMatchObject({
      end: 'syntax-error',
      error: { name: 'SyntaxError', message, line, stack: `SyntaxError: ${message}\n    at main.js:${line}` },
    })
  })

  test('gives one finding of the lint', () => {
    expect(lintCard(refused)).toEqual([
      {
        rule: 'syntax',
        severity: 'error',
        message: `main.js does not parse: ${message}.`,
        line,
        column: 1,
        endLine: line,
        endColumn: 2,
      },
    ])
  })
})

test('no parser compiles a pattern of a refused source', () => {
  const source = hook + '/\\p{L}/u;\n'.repeat(20_000)
  const RealRegExp = globalThis.RegExp
  const made = jest.fn()
  globalThis.RegExp = new Proxy(RealRegExp, {
    construct: (target, given: [string]) => {
      made()
      return new target(...given)
    },
  })
  try {
    lintCard(source)
    expect(textRanges(source)).toEqual([{ start: 0, end: source.length }])
  } finally {
    globalThis.RegExp = RealRegExp
  }
  expect(made).not.toHaveBeenCalled()
})

test('lookbehind and other escapes are free', () => {
  expect(sourceFault('/(?<=a)(?<!b)[\\s\\S]\\w\\d/;'.repeat(9_000))).toBeUndefined()
})

test('the count equals that of a simple scan', () => {
  const part = fc.constantFrom('\\p{L}', '\\P{Lu}', '\\p', 'p{', '\\', '\n', 'a')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 700 }), (parts) => {
      const source = parts.join('')
      const count = source.split(/\\[pP]\{/).length - 1
      expect(sourceFault(source) !== undefined).toBe(count > 200)
    }),
  )
})

describe('parsing takes time in proportion to the source', () => {
  const names = Array.from({ length: 40_000 }, (_, i) => i.toString(36).padStart(4, 'n'))
  /** How often a declared name is compared with another one. */
  const comparisonsOf = (source: string): number => {
    const found = jest.spyOn(Array.prototype, 'indexOf')
    try {
      lintCard(source)
      return found.mock.contexts.reduce<number>((sum, list) => sum + (list as unknown[]).length, 0)
    } finally {
      found.mockRestore()
    }
  }

  test.each([
    ['let', `let ${names.join()}`],
    ['var', `var ${names.join()}`],
    [
      'functions',
      names
        .map((name) => `function ${name}(){}`)
        .join('')
        .slice(0, 250_000),
    ],
  ])('%s', (_kind, source) => {
    expect(comparisonsOf(source)).toBeLessThan(1_000_000)
  })

  test('variables in very many blocks are not analysed', () => {
    expect(lintCard(`${'{'.repeat(1_000)}var ${names.join()}${'}'.repeat(1_000)}`)).toEqual([])
  })

  test('a name that is declared twice is still an error', () => {
    expect(lintCard('let a\nlet a')).toMatchObject([
      {
        rule: 'syntax',
        line: 2,
        message: "main.js does not parse: Identifier 'a' has already been declared.",
      },
    ])
    expect(lintCard('try {} catch (e) { var e }\nvar b; var b; function b() {}')).not.toContainEqual(
      expect.objectContaining({ rule: 'syntax' }),
    )
  })
})
