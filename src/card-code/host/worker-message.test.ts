import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { maxJsonLength, parseWorkerMessage } from './worker-message.js'

const ending = {
  end: 'returned',
  json: 'true',
  returnedType: 'boolean',
  error: null,
  completedMs: 1_700_000_000_000,
}
const error = { name: 'E', message: 'm', stack: 's', line: 1, afterMs: 5 }
const fetchMessage = {
  kind: 'fetch',
  run: 1,
  request: 2,
  atMs: 0,
  method: 'GET',
  url: 'http://a.test/',
  headers: [['a', 'b']],
  redirect: 'follow',
  follow: 20,
  body: undefined,
}
const log = { kind: 'log', run: 1, atMs: 0, level: 'info', content: 'x' }

test.each([
  { kind: 'ready' },
  log,
  fetchMessage,
  { ...fetchMessage, body: Uint8Array.of(1) },
  { kind: 'abort', run: 1, request: 2, atMs: 1_700_000_000_000 },
  { kind: 'taken', run: 1, bytes: 3 },
  { kind: 'ending', run: 1, ending },
  { kind: 'ending', run: 1, ending: { ...ending, end: 'threw', json: undefined, error } },
  { kind: 'over', run: 1, isSpent: false, computedMs: 1.5 },
])('a message of a worker is read: %j', (message) => {
  expect(parseWorkerMessage(message)).toEqual(message)
})

test.each([
  ['nothing', undefined],
  ['a text', 'ready'],
  ['another kind', { kind: 'reset', run: 1 }],
  ['a run that is no number', { ...log, run: '1' }],
  ['an instant beyond all dates', { ...log, atMs: 1e300 }],
  ['an instant that is none', { ...log, atMs: NaN }],
  ['a level of its own', { ...log, level: 'fatal' }],
  ['content that is no text', { ...log, content: {} }],
  ['content without end', { ...log, content: 'x'.repeat(2_000_000) }],
  ['an address that is none', { ...fetchMessage, url: '/etc/passwd' }],
  ['an address of a file', { ...fetchMessage, url: 'file:///etc/passwd' }],
  ['headers that are none', { ...fetchMessage, headers: [['a']] }],
  ['headers without end', { ...fetchMessage, headers: [['a', 'x'.repeat(80_000)]] }],
  ['more headers than fit', { ...fetchMessage, headers: Array(501).fill(['a', 'b']) }],
  ['a body of text', { ...fetchMessage, body: 'x' }],
  ['a body without end', { ...fetchMessage, body: new Uint8Array(17 * 2 ** 20) }],
  ['JSON that is none', { kind: 'ending', run: 1, ending: { ...ending, json: '{bad' } }],
  ['JSON that is no text', { kind: 'ending', run: 1, ending: { ...ending, json: { a: 1 } } }],
  ['a type of its own', { kind: 'ending', run: 1, ending: { ...ending, returnedType: 'Boolean' } }],
  ['a failure without an error', { kind: 'ending', run: 1, ending: { ...ending, end: 'threw' } }],
  ['an error beside a value', { kind: 'ending', run: 1, ending: { ...ending, error } }],
  ['an end of its own', { kind: 'ending', run: 1, ending: { ...ending, end: 'approved' } }],
  ['an end at no time', { kind: 'ending', run: 1, ending: { ...ending, completedMs: Infinity } }],
])('%s is not a message', (_name, message) => {
  expect(parseWorkerMessage(message)).toBeUndefined()
})

test('a value that is too long is left out', () => {
  const json = JSON.stringify('x'.repeat(maxJsonLength))
  const message = parseWorkerMessage({ kind: 'ending', run: 1, ending: { ...ending, json } })
  expect(message).toEqual({ kind: 'ending', run: 1, ending: { ...ending, json: undefined } })
})

test('no message makes the reader throw, not even with fields that throw', () => {
  const kinds = fc.constantFrom('ready', 'log', 'fetch', 'abort', 'taken', 'ending', 'over')
  fc.assert(
    fc.property(
      fc.record({ kind: kinds, run: fc.anything(), ending: fc.anything(), headers: fc.anything() }),
      (message) => {
        parseWorkerMessage(message)
      },
    ),
  )
  const throwing = new Proxy({}, { get: () => { throw new Error('no') } }) // prettier-ignore
  expect(parseWorkerMessage(throwing)).toBeUndefined()
})
