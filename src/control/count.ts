// How many calls a verification expects.

import { invalid } from '../protocol/problem.js'

/** Counts that `verify` holds the number of calls against. */
export const Count = {
  title: 'Count',
  description: 'How many calls; at least one when nothing is said.',
  type: 'object',
  properties: {
    exactly: { type: 'integer', minimum: 0 },
    atLeast: { type: 'integer', minimum: 0 },
    atMost: { type: 'integer', minimum: 0 },
  },
  minProperties: 1,
  additionalProperties: false,
} as const

export interface Counts {
  readonly exactly?: number | undefined
  readonly atLeast?: number | undefined
  readonly atMost?: number | undefined
}

/** `exactly 2`, or `at least 1 and at most 3`. */
export const wanted = ({ exactly, atLeast, atMost }: Counts): string =>
  [
    exactly !== undefined && `exactly ${exactly}`,
    atLeast !== undefined && `at least ${atLeast}`,
    atMost !== undefined && `at most ${atMost}`,
  ]
    .filter((part) => part !== false)
    .join(' and ')

export const isWithin = (count: number, { exactly, atLeast, atMost }: Counts): boolean =>
  (exactly === undefined || count === exactly) &&
  (atLeast === undefined || count >= atLeast) &&
  (atMost === undefined || count <= atMost)

/** Refuses counts that nothing can meet. Throws `invalid-request`. */
export function checkCounts({ exactly, atLeast, atMost }: Counts): void {
  if ((atLeast ?? 0) > (atMost ?? Infinity))
    throw invalid([{ path: '/count/atLeast', message: 'must not be more than atMost' }])
  if (exactly !== undefined && (atLeast ?? atMost) !== undefined)
    throw invalid([{ path: '/count/exactly', message: 'cannot go with atLeast or atMost' }])
}
