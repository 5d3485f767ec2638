import { expect, test } from '@jest/globals'
import { Problem } from '../protocol/problem.js'
import { executionQuota } from './quotas.js'

/** What is refused: the quota, what it says and when to come back; undefined when it is admitted. */
function refusal(admit: () => void): [quota: unknown, detail: string, retryAfter: string] | undefined {
  try {
    admit()
    return undefined
  } catch (error) {
    const { code, detail, more } = error as Problem
    expect(code).toBe('quota-exceeded')
    return [more.members!.quota, detail, more.headers!['retry-after']!]
  }
}

test('the computing time of the last minute is what counts', () => {
  let nowMs = 1_000_000
  const quota = executionQuota({ computing: 1_000 }, () => nowMs)
  expect(refusal(() => quota.admit(100))).toBeUndefined()
  quota.computed(400)
  nowMs += 10_000
  quota.computed(599.5)
  expect(refusal(() => quota.admit(0))).toBeUndefined()
  quota.computed(0.5)
  expect(refusal(() => quota.admit(0))).toEqual([
    'computing',
    'The quota computing is used up: the workspace has computed 1000 ms of 1000 in a minute.',
    '50',
  ])
  nowMs += 49_000
  expect(refusal(() => quota.admit(0))?.[2]).toBe('1')
  nowMs += 1_000
  expect(refusal(() => quota.admit(0))).toBeUndefined()
})

test('a single long run blocks until a minute after its end', () => {
  let nowMs = 0
  const quota = executionQuota({ computing: 1_000 }, () => nowMs)
  quota.computed(15_000)
  quota.computed(1)
  expect(refusal(() => quota.admit(0))?.[2]).toBe('60')
  nowMs += 60_000
  expect(refusal(() => quota.admit(0))).toBeUndefined()
})

test('executions count while they are under way', () => {
  const quota = executionQuota({ executions: 2 })
  expect(refusal(() => quota.admit(1))).toBeUndefined()
  expect(refusal(() => quota.admit(2))?.[0]).toBe('executions')
  quota.computed(1e9)
  expect(refusal(() => quota.admit(1))).toBeUndefined()
})
