// Limits the requests with one token within a time, by the sandbox's clock.

import { Problem } from '../protocol/problem.js'
import type { RateLimit } from '../settings/settings.js'

interface Window {
  readonly startMs: number
  count: number
}

/** The exported state of a window. */
export interface WindowState extends Readonly<Window> {
  readonly token: string
}

/** The most tokens that are watched; those with finished windows are dropped first. */
const tokensWatched = 10_000

/** Counts the requests of each token of one workspace. A window begins with a token's first request. */
export class RateLimiter {
  readonly #windows = new Map<string, Window>()

  /** Counts a request at `nowMs`. Throws `rate-limited`, with `Retry-After` in seconds. */
  count(token: string, { requests, perMs }: RateLimit, nowMs: number): void {
    const window = this.#windows.get(token)
    // When the clock was set back, a new window begins; otherwise a client would be locked out until the old time is
    // reached.
    if (!window || nowMs >= window.startMs + perMs || nowMs < window.startMs) {
      if (!window && this.#windows.size >= tokensWatched) this.#drop(nowMs - perMs)
      this.#windows.set(token, { startMs: nowMs, count: 1 })
      return
    }
    if (window.count < requests) {
      window.count++
      return
    }
    const seconds = Math.max(1, Math.ceil((window.startMs + perMs - nowMs) / 1000))
    const detail = `More than ${requests} requests with this token in ${perMs / 1000} s; wait ${seconds} s.`
    throw new Problem('rate-limited', detail, { headers: { 'retry-after': String(seconds) } })
  }

  /** The use of each token, JSON-able. */
  get state(): readonly WindowState[] {
    return Array.from(this.#windows, ([token, window]) => ({ token, ...window }))
  }

  restore(state: readonly WindowState[]): void {
    this.#windows.clear()
    for (const { token, startMs, count } of state) this.#windows.set(token, { startMs, count })
  }

  clear(): void {
    this.#windows.clear()
  }

  #drop(beforeMs: number): void {
    for (const [token, { startMs }] of this.#windows) if (startMs <= beforeMs) this.#windows.delete(token)
    if (this.#windows.size >= tokensWatched) this.#windows.clear()
  }
}
