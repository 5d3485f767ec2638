import { expect, test } from '@jest/globals'
import type { Endpoint, Method } from '../endpoint/endpoint.js'
import { Router } from './router.js'
import { isControlPath } from '../protocol/call.js'

const endpoint = (method: Method, path: string, aliases?: string[]): Endpoint =>
  ({ method, path, ...(aliases && { aliases }) }) as unknown as Endpoint

// Parameters first, so that the test does not depend on a helpful order of declarations.
const router = new Router([
  endpoint('GET', '/cards/{cardkey}'),
  endpoint('POST', '/cards/{cardkey}'),
  endpoint('GET', '/cards/countries'),
  endpoint('GET', '/cards/{cardkey}/{part}'),
  endpoint('GET', '/cards/{cardkey}/code'),
  endpoint('POST', '/cards/{cardkey}/code'),
  endpoint('GET', '/cards/any/{part}'),
  endpoint('POST', '/cards/{cardkey}/code/execute', ['/cards/{cardkey}/execute']),
  endpoint('PUT', '/state'),
  endpoint('GET', '/state'),
  endpoint('DELETE', '/only'),
  endpoint('GET', '/_sandbox/state'),
])

test.each([
  ['GET', '/cards/1', 'GET /cards/{cardkey}', { cardkey: '1' }],
  ['POST', '/cards/1', 'POST /cards/{cardkey}', { cardkey: '1' }],
  ['HEAD', '/cards/1', 'GET /cards/{cardkey}', { cardkey: '1' }],
  ['GET', '/cards/countries', 'GET /cards/countries', {}],
  ['GET', '/cards/countries/', 'GET /cards/countries', {}],
  ['GET', '/cards/Countries', 'GET /cards/countries', {}],
  ['GET', '/CARDS/Ab/Code/', 'GET /cards/{cardkey}/code', { cardkey: 'Ab' }],
  ['GET', '/_sandbox/state', 'GET /_sandbox/state', {}],
  ['GET', '/cards/countries2', 'GET /cards/{cardkey}', { cardkey: 'countries2' }],
  ['GET', '/cards/1/code', 'GET /cards/{cardkey}/code', { cardkey: '1' }],
  ['GET', '/cards/1/other', 'GET /cards/{cardkey}/{part}', { cardkey: '1', part: 'other' }],
  ['GET', '/cards/any/code', 'GET /cards/any/{part}', { part: 'code' }],
  ['POST', '/cards/any/code', 'POST /cards/{cardkey}/code', { cardkey: 'any' }],
  ['POST', '/cards/1/execute', 'POST /cards/{cardkey}/code/execute', { cardkey: '1' }],
  ['POST', '/cards/1/code/execute', 'POST /cards/{cardkey}/code/execute', { cardkey: '1' }],
  ['GET', '/cards/a%2Fb%20c%00', 'GET /cards/{cardkey}', { cardkey: 'a/b c\u0000' }],
  ['GET', '/cards/%F0%9F%98%80', 'GET /cards/{cardkey}', { cardkey: '\u{1f600}' }],
  ['GET', '/cards/__proto__', 'GET /cards/{cardkey}', { cardkey: '__proto__' }],
])('%s %s is answered by %s', (method, path, declared, params) => {
  const match = router.match(method, path)
  if (!match || !('endpoint' in match)) throw new Error('nothing was found')
  expect([`${match.endpoint.method} ${match.endpoint.path}`, match.params]).toEqual([declared, params])
})

test.each([
  ['/cards/countries', '/cards/countries'],
  ['/Cards/Countries/', '/cards/countries'],
  ['/cards/Ab%20c', '/cards/Ab%20c'],
  ['/CARDS/Ab/CODE/', '/cards/Ab/code'],
])('the canonical path of %s is %s', (path, canonicalPath) => {
  expect(router.match('GET', path)).toMatchObject({ canonicalPath })
})

test.each([
  ['POST', '/cards/countries', ['GET', 'HEAD']],
  ['DELETE', '/cards/1', ['GET', 'HEAD', 'POST']],
  ['get', '/cards/1', ['GET', 'HEAD', 'POST']],
  ['PATCH', '/state', ['GET', 'HEAD', 'PUT']],
  ['HEAD', '/only', ['DELETE']],
  ['OPTIONS', '/cards/1/code', ['GET', 'HEAD', 'POST']],
  ['__proto__', '/state', ['GET', 'HEAD', 'PUT']],
])('%s %s is refused; allowed are %p', (method, path, allow) => {
  expect(router.match(method, path)).toEqual({ allow })
})

test.each([
  '',
  '/',
  '//',
  'cards/1',
  '/cards',
  '/cards/',
  '/cards/1/code//',
  '//cards/1',
  '/_Sandbox/state',
  '/_sandbox/State',
  '/_sandbox/state/',
  '/cards/1/2/3',
  '/cards/%zz',
  '/cards/%E0%A4',
  '/x/../state',
  '/state/.',
  '/{cardkey}',
  '*',
  '/__proto__',
  '/constructor',
  '/'.repeat(10_000),
  '/a'.repeat(10_000),
])('no endpoint is at %p', (path) => {
  expect(router.match('GET', path)).toBeUndefined()
})

test('the control API is recognised by its path', () => {
  for (const path of ['/_sandbox', '/_sandbox/', '//_sandbox/health', '/_sandbox?x=1'])
    expect(isControlPath(path)).toBe(true)
  for (const path of ['/_sandbox2', '/za/_sandbox', '_sandbox', '/_Sandbox', '/', ''])
    expect(isControlPath(path)).toBe(false)
})
