// The sandbox's time: read it, move it, freeze it, let it run. Everything that depends on time follows at once.

import type { Clock } from '../determinism/clock.js'
import { isInRange, parseInstant } from '../determinism/day.js'
import { addDuration, parseDuration } from '../determinism/duration.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { invalid, type InputError } from '../protocol/problem.js'
import { record, timestamp, type FromSchema } from '../protocol/schema.js'

/** The state of the clock. */
export const ClockReading = record('ClockReading', "The sandbox's time.", {
  now: { ...timestamp, description: 'The time of the bank, in UTC.' },
  frozen: { type: 'boolean', description: 'Whether it stands still.' },
})

/** `POST /_sandbox/clock`. */
const ClockMove = {
  title: 'ClockMove',
  description: 'What to do with the clock; `set` and `advance` may each go with `freeze` or `resume`.',
  type: 'object',
  properties: {
    set: {
      type: 'string',
      maxLength: 40,
      description: 'An instant, or a date, which is its first instant in UTC; 1980 to 2200.',
      examples: ['2026-03-25T08:00:00Z'],
    },
    advance: {
      type: 'string',
      maxLength: 60,
      description: 'An ISO 8601 duration of at most ten years, not negative.',
      examples: ['P1D'],
    },
    freeze: { const: true, description: 'true stops the clock.' },
    resume: { const: true, description: 'true lets it run by the clock of the machine.' },
  },
  minProperties: 1,
  additionalProperties: false,
} as const

/** A longer move would only keep the machine busy: the bank runs every day of it. */
const furthestMs = 3653 * 86_400_000

export const reading = (clock: Clock) => ({
  now: new Date(clock.now()).toISOString(),
  frozen: clock.frozen,
})

/** The instant to which a move leads, checked; undefined when nothing moves. */
function target(nowMs: number, { set, advance, freeze, resume }: FromSchema<typeof ClockMove>) {
  const errors: InputError[] = []
  const check = (path: string, ms: number | undefined, wanted: string): number => {
    if (ms === undefined) errors.push({ path, message: wanted })
    else if (!isInRange(ms)) errors.push({ path, message: 'must stay between 1980 and 2200' })
    else if (ms - nowMs > furthestMs)
      errors.push({ path, message: 'must not be more than ten years ahead of the clock; go there in steps' })
    return ms ?? nowMs
  }
  let to: number | undefined
  if (set !== undefined)
    to = check('/set', parseInstant(set), 'must be a date or an instant, such as 2026-03-25T08:00:00Z')
  if (advance !== undefined) {
    const duration = parseDuration(advance)
    const ms = duration && addDuration(nowMs, duration)
    to = check(
      '/advance',
      ms,
      'must be an ISO 8601 duration, such as P1D or PT90S; to go back in time, use set',
    )
  }
  if (set !== undefined && advance !== undefined)
    errors.push({ path: '/advance', message: 'cannot be combined with set; send one of the two' })
  if (freeze && resume)
    errors.push({ path: '/resume', message: 'cannot be combined with freeze; send one of the two' })
  if (errors.length > 0) throw invalid(errors)
  return to
}

export const clock = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/clock',
    summary: "The sandbox's time",
    auth: 'control',
    response: ClockReading,
    envelope: 'bare',
    problems: [],
    needsBank: false,
    handle: ({ workspace }) => reading(workspace.clock),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/clock',
    summary: 'Set, advance, freeze or resume the clock; what was due by then happens at once',
    auth: 'control',
    body: ClockMove,
    response: ClockReading,
    envelope: 'bare',
    problems: ['invalid-request'],
    example: { body: { advance: 'P1D' } },
    needsBank: false,
    handle: async ({ workspace, body }) => {
      const { clock, events } = workspace
      const to = target(clock.now(), body)
      if (body.freeze) clock.freeze()
      if (to !== undefined) clock.set(to)
      if (body.resume) clock.resume()
      await workspace.followClock()
      events.tell({ type: 'clock', atMs: clock.now(), ...reading(clock) })
      return reading(clock)
    },
  }),
]
