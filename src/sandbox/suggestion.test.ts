import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isControlPath } from '../protocol/call.js'
import { endpoints } from './endpoints.js'
import { suggestion } from './suggestion.js'

const all = endpoints.map(({ path }) => path)
const knownBeside = (path: string): string[] =>
  all.filter((each) => isControlPath(each) === isControlPath(path))

test.each([
  ['/za/pb/v1/acounts', '/za/pb/v1/accounts'],
  ['/za/pb/v1/account/1/balance', '/za/pb/v1/accounts/{accountId}/balance'],
  ['/za/pb/v1/accounts/1/balances', '/za/pb/v1/accounts/{accountId}/balance'],
  ['/za/pb/v1/accounts/1/pendingtransactions', '/za/pb/v1/accounts/{accountId}/pending-transactions'],
  ['/za/pb/v1/accounts/balance', '/za/pb/v1/accounts/{accountId}/balance'],
  ['/accounts', '/za/pb/v1/accounts'],
  ['/accounts/1/balance', '/za/pb/v1/accounts/{accountId}/balance'],
  ['/v1/cards', '/za/v1/cards'],
  ['/za/pb/v1/cards', '/za/v1/cards'],
  ['/ZA/V1/CARDS/1/Execution', '/za/v1/cards/{cardkey}/code/executions'],
  ['/oauth2/token', '/identity/v2/oauth2/token'],
  ['/token', '/identity/v2/oauth2/token'],
  ['/_sandbox/fault', '/_sandbox/faults'],
  ['/_sandbox/request/verify', '/_sandbox/requests/verify'],
  ['/_sandbox/cards/700615/transaction', '/_sandbox/cards/{cardkey}/transactions'],
])('%s: did you mean %s?', (path, meant) => {
  expect(suggestion(path, knownBeside(path))).toBe(meant)
})

test.each(['/', '/favicon.ico', '/x', '/wp-admin/setup.php', `/${'a'.repeat(5000)}`, '/a'.repeat(5000)])(
  '%s comes near to nothing',
  (path) => {
    expect(suggestion(path, knownBeside(path))).toBeUndefined()
  },
)

test('a path with one letter changed in its last word still leads to the endpoint, or to another one', () => {
  const literal = all.filter((each) => !each.endsWith('}') || each === '/_sandbox')
  fc.assert(
    fc.property(fc.constantFrom(...literal), fc.nat(), (path, at) => {
      const last = path.lastIndexOf('/') + 1
      const letter = last + (at % (path.length - last))
      const changed = `${path.slice(0, letter)}q${path.slice(letter + 1)}`.replace(/\{\w+\}/g, '1')
      expect(suggestion(changed, knownBeside(path))).toBeDefined()
    }),
  )
})
