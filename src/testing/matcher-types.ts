// The matchers of `expect` as users see them.

import type { CallQuery, Count } from '../node-api/api-types.js'

/** How often: exactly, at least or at most. */
export type Counts = Count

/** An amount in rand: the current balance, or each of two. */
export type ExpectedBalance = number | { readonly current?: number; readonly available?: number }

/** What `toApprove` and `toDecline` take. */
export interface DecisionOptions {
  /** Take the decision as it is, also when a hook failed and the settings decided. Default false. */
  readonly despiteError?: boolean
}

/** The matchers as `expect` has them. `R` is what an expectation returns. */
export interface SandboxMatchers<R = unknown> {
  /** The sandbox was asked this: `expect(sandbox).toHaveReceived({ method: 'POST', path: '/za/**' }, { exactly: 1 })`. */
  toHaveReceived(match: CallQuery, count?: Counts): R
  /**
   * A card transaction was approved; of a simulation, that its `beforeTransaction` returned true. Fails also when a hook
   * threw, timed out or returned no boolean, or when `beforeTransaction` is missing: the bank may then approve by its
   * settings, which says nothing about the code.
   */
  toApprove(options?: DecisionOptions): R
  /** A card transaction was declined. Fails when a hook failed, as `toApprove` does. */
  toDecline(options?: DecisionOptions): R
  /** Every hook that ran did what it should: none threw, timed out, returned no boolean, or is missing. */
  toHaveRunCleanly(): R
  /** Card code logged a text that contains this one, or that fits the expression. */
  toHaveLogged(expected: string | RegExp): R
  /** A balance, in rand. */
  toHaveBalance(expected: ExpectedBalance): R
}
