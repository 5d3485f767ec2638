import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fits } from './glob.js'

test.each([
  ['/za/pb/v1/accounts', '/za/pb/v1/accounts', true],
  ['/za/pb/v1/accounts', '/za/pb/v1/accounts/1', false],
  ['/za/*/v1/accounts', '/za/pb/v1/accounts', true],
  ['/za/*/accounts', '/za/pb/v1/accounts', false],
  ['/za/**/accounts', '/za/pb/v1/accounts', true],
  ['/za/**', '/za/', true],
  ['/za/**', '/za', false],
  ['**', '', true],
  ['*', '', true],
  ['*', 'a/b', false],
  ['**/transactions', '/za/pb/v1/accounts/1/transactions', true],
  ['/za/**/*/paymultiple', '/za/pb/v1/accounts/1/paymultiple', true],
  ['https://*.example/**', 'https://api.example/v1/x?y=1', true],
  ['https://*.example/**', 'https://evil/api.example/v1', false],
  ['a.c', 'abc', false],
  ['a*b*c', 'a1b2b3c', true],
  ['***', 'a/b', true],
  ['', 'a', false],
])('the glob %j and the text %j: %j', (glob, text, expected) => {
  expect(fits(glob, text)).toBe(expected)
})

test('a glob says what the regular expression for it says', () => {
  const piece = fc.constantFrom('a', 'b', '/', '*', '**')
  const text = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 7 }), text, (pieces, text) => {
      const glob = pieces.join('')
      const pattern = glob.replace(/\*+/g, (stars) => (stars.length > 1 ? '.*' : '[^/]*'))
      expect(fits(glob, text)).toBe(new RegExp(`^${pattern}$`).test(text))
    }),
    { numRuns: 2000 },
  )
})

test('a hostile glob is answered at once', () => {
  expect(fits('*a'.repeat(100) + 'b', 'a'.repeat(16_000))).toBe(false)
})
