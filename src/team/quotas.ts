// How much each workspace of a team's bank may have, so that one team does not use up what others need.

import { monotonicMs } from '../determinism/clock.js'
import { Problem } from '../protocol/problem.js'
import type { ExecutionQuota } from '../workspace/executions.js'
import type { Owned } from './owned.js'

/** The quotas by name; what is omitted has no limit. */
export interface Quotas {
  /** Rows of its books, without those of the history at the start. */
  readonly rows?: number
  /** Bytes in the store. */
  readonly bytes?: number
  /** Calls that run card code at a time. */
  readonly executions?: number
  /** Milliseconds for which its card code computes in a minute. */
  readonly computing?: number
}

/** The quotas of flags such as `rows=100000`. */
export const quotasOf = (texts: readonly string[]): Quotas =>
  Object.fromEntries(
    texts.map((text) => text.split('=')).map(([name, number]) => [name, Number(number)]),
  ) as Quotas

/** What makes room, and signing in, is allowed when a workspace is full. */
const allowed = /^\/+(?:_sandbox\/+(?:reset|scenario|state|settings|faults|clock)(?:[/?]|$)|identity\/)/i

/** Refuses a call that would store more than a quota. Throws `quota-exceeded`. */
export function checkQuotas({ rows, bytes }: Quotas, { saved }: Owned, method: string, path: string): void {
  if (method === 'DELETE' || allowed.test(path)) return
  if (rows !== undefined && saved.rows >= rows) throw exceeded('rows', `has ${saved.rows} rows of ${rows}`)
  if (bytes !== undefined && saved.bytes >= bytes)
    throw exceeded('bytes', `has ${saved.bytes} bytes of ${bytes}`)
}

/** The quotas of card code of one workspace, while it is on this replica; `now` gives ms of real time. */
export function executionQuota({ executions, computing }: Quotas, now = monotonicMs): ExecutionQuota {
  const computed = new LastMinute()
  const second = (): number => Math.floor(now() / 1_000)
  return {
    admit(underWay) {
      if (executions !== undefined && underWay >= executions)
        throw exceeded('executions', `has ${underWay} executions of ${executions} under way`, 1)
      if (computing === undefined) return
      const ms = computed.sum(second())
      if (ms >= computing)
        throw exceeded(
          'computing',
          `has computed ${Math.round(ms)} ms of ${computing} in a minute`,
          computed.secondsUntilLess(second(), computing),
        )
    },
    computed: (ms) => computed.add(second(), ms),
  }
}

/** A sum over the last 60 seconds. */
class LastMinute {
  /** By the second, the oldest first. */
  readonly #sums = new Map<number, number>()

  add(second: number, value: number): void {
    this.#sums.set(second, (this.#sums.get(second) ?? 0) + value)
    this.#forget(second)
  }

  sum(second: number): number {
    this.#forget(second)
    return [...this.#sums.values()].reduce((sum, each) => sum + each, 0)
  }

  /** How many seconds pass until the sum is less than this when nothing is added. */
  secondsUntilLess(second: number, than: number): number {
    let left = this.sum(second)
    for (const [at, value] of this.#sums) {
      left -= value
      if (left < than) return at + 60 - second
    }
    return 60
  }

  #forget(second: number): void {
    for (const at of this.#sums.keys()) if (at <= second - 60) this.#sums.delete(at)
  }
}

function exceeded(name: keyof Quotas, what: string, seconds?: number): Problem {
  return new Problem('quota-exceeded', `The quota ${name} is used up: the workspace ${what}.`, {
    members: { quota: name },
    ...(seconds !== undefined && { headers: { 'retry-after': String(seconds) } }),
  })
}
