import { expect, test } from '@jest/globals'
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
  ['/_sandbox/cards/700615/qlock', '/_sandbox/cards/{cardkey}/block'],
  ['/_sandbox/cards/700615/transaction', '/_sandbox/cards/{cardkey}/transactions'],
])('%s: did you mean %s?', (path, meant) => {
  expect(suggestion(path, knownBeside(path))).toBe(meant)
})

test.each([
  ['the root', '/'],
  ['/favicon.ico', '/favicon.ico'],
  ['one letter', '/x'],
  ['/wp-admin/setup.php', '/wp-admin/setup.php'],
  ['one segment of 5,000 letters', `/${'a'.repeat(5000)}`],
  ['5,000 segments', '/a'.repeat(5000)],
])('%s is near no path', (_, path) => {
  expect(suggestion(path, knownBeside(path))).toBeUndefined()
})

test('a path with one changed letter in its last word still leads to the endpoint, or to another one', () => {
  const lost = all
    .filter((path) => !path.endsWith('}'))
    .flatMap((path) => {
      const known = knownBeside(path)
      const begin = path.lastIndexOf('/') + 1
      const last = path.length - begin - 1
      return [0, Math.floor(last / 2), last].map((letter) => {
        const changed = `${path.slice(0, begin + letter)}q${path.slice(begin + letter + 1)}`
        const asked = changed.replace(/\{\w+\}/g, '1')
        return { asked, meant: suggestion(asked, known) }
      })
    })
    .filter(({ meant }) => meant === undefined)
  expect(lost).toEqual([])
})
