// Compares calls with an expectation, for calls of clients and calls of card code alike.

import { invalid, Problem, type InputError } from '../protocol/problem.js'

/** How many calls `verify` expects. */
export const Count = {
  title: 'Count',
  description: 'How many calls; default: at least one.',
  type: 'object',
  properties: {
    exactly: { type: 'integer', minimum: 0, description: 'Exactly this many calls.' },
    atLeast: { type: 'integer', minimum: 0, description: 'This many calls or more.' },
    atMost: { type: 'integer', minimum: 0, description: 'This many calls or fewer.' },
  },
  minProperties: 1,
  additionalProperties: false,
} as const

/** A valid value of {@link Count}. */
export interface Counts {
  readonly exactly?: number | undefined
  readonly atLeast?: number | undefined
  readonly atMost?: number | undefined
}

/** The expectation for calls of type `T`. */
export interface Expectation<T> {
  /** Oldest first. */
  readonly calls: readonly T[]
  /** The names of what does not match; empty when the call matches. */
  readonly differences: (call: T) => readonly string[]
  readonly count?: Counts | undefined
  /** How a near miss is shown. */
  readonly show: (call: T) => object
  /** Added to the message of the refusal. */
  readonly note?: string
}

const nearestShown = 3

/** `GET /za/v1/cards → 200; differs in status`, for the message. */
function nearestText({ differs, ...call }: { readonly differs: readonly string[] }): string {
  const { method, path, url, status } = call as Readonly<Record<string, unknown>>
  const asked = [method, path ?? url]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 200)
  const answered = typeof status === 'number' ? ` → ${status}` : ''
  return `${asked}${answered}${differs.length > 0 ? `; differs in ${differs.join(', ')}` : ''}`
}

/**
 * The calls that match, when their number is as expected. Throws `verification-failed` with the nearest calls, and
 * `invalid-request` for a count that nothing can meet.
 */
export function verified<T>(expectation: Expectation<T>): T[] {
  const { calls, differences, count = { atLeast: 1 }, show, note = '' } = expectation
  const errors = countErrors(count)
  if (errors.length > 0) throw invalid(errors)
  const compared = calls.map((call, index) => ({ call, index, differs: differences(call) }))
  const matched = compared.filter(({ differs }) => differs.length === 0)
  if (isWithin(matched.length, count)) return matched.map(({ call }) => call)
  const isTooFew = matched.length < (count.exactly ?? count.atLeast ?? 0)
  const nearest = (isTooFew ? compared.filter(({ differs }) => differs.length > 0) : matched)
    .sort((a, b) => a.differs.length - b.differs.length || b.index - a.index)
    .slice(0, nearestShown)
    .map(({ call, differs }) => ({ ...show(call), differs }))
  const lines = nearest.map((call) => `\n  ${nearestText(call)}`)
  const shown = lines.length > 0 ? ` ${isTooFew ? 'Nearest' : 'Found'}:${lines.join('')}` : ''
  const detail = `Expected ${wanted(count)}, found ${matched.length} of ${calls.length} calls.${note}${shown}`
  throw new Problem('verification-failed', detail, { members: { matched: matched.length, nearest } })
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

/** Whether a number of calls is expected. */
export const isWithin = (count: number, { exactly, atLeast, atMost }: Counts): boolean =>
  (exactly === undefined || count === exactly) &&
  (atLeast === undefined || count >= atLeast) &&
  (atMost === undefined || count <= atMost)

/** The errors of counts that nothing can meet. */
export function countErrors({ exactly, atLeast, atMost }: Counts): InputError[] {
  const errors: InputError[] = []
  if ((atLeast ?? 0) > (atMost ?? Infinity))
    errors.push({ path: '/count/atLeast', message: 'must not be more than atMost' })
  if (exactly !== undefined && (atLeast ?? atMost) !== undefined)
    errors.push({ path: '/count/exactly', message: 'cannot be combined with atLeast or atMost' })
  return errors
}
