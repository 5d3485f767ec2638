import { expect, test } from '@jest/globals'
import { periodMs, setupErrors, setupOf } from './authorisation-setup.js'

const day = 86_400_000

test.each([
  ['24 hours', day],
  ['7 days', 7 * day],
  ['2 weeks', 14 * day],
  ['0 Current Day', day],
  ['1 Working day', day],
  ['10 Working days', 10 * day],
])('a payment waits for the period %p', (description, ms) => {
  expect(periodMs(description)).toBe(ms)
  const list = [{ authoriserId: '1', name: 'T Naidoo' }]
  const period = [{ id: '1', description }]
  const setup = { numberOfAuthorisationRequired: '1', period, authorisersListA: list, authorisersListB: null }
  expect(setupErrors(setup)).toEqual([])
})

test('the second list is null unless two people must agree, as the record says', () => {
  expect(setupOf({ required: 1, listA: ['T Naidoo'] }).authorisersListB).toBeNull()
  expect(setupOf({ required: 2, listA: ['T Naidoo'], listB: ['P Naidoo'] }).authorisersListB).toEqual([
    { authoriserId: '10170000000101', name: 'P Naidoo' },
  ])
})
