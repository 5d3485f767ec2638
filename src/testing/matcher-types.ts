// The matchers of `expect` as users see them.

import type { CallQuery, Count } from '../node-api/api-types.js'

/** How often: exactly, at least or at most. */
export type Counts = Count

/** An amount in rand: the current balance, or each of two. */
export type ExpectedBalance =
  | number
  | {
      /** Rand: the sum of all posted transactions. */
      readonly current?: number
      /** Rand: current balance plus overdraft less pending debits. */
      readonly available?: number
    }

/** The options of `toApprove` and `toDecline`. */
export interface DecisionOptions {
  /** Accept the decision even when a hook failed and the settings decided. Default false. */
  readonly despiteError?: boolean
}

/** The matchers of `expect`. `R` is the return type of an expectation. */
export interface SandboxMatchers<R = unknown> {
  /**
   * The sandbox received this call: `expect(sandbox).toHaveReceived({ method: 'POST', path: '/za/**' }, { exactly: 1
   * })`.
   */
  toHaveReceived(match: CallQuery, count?: Counts): R
  /**
   * A card transaction was approved, or the `beforeTransaction` of a simulation returned true. Fails also when a hook
   * threw, timed out or returned no boolean, or when `beforeTransaction` is missing: the bank may then approve by its
   * settings, which says nothing about the code.
   */
  toApprove(options?: DecisionOptions): R
  /** A card transaction was declined. Fails when a hook failed, as `toApprove` does. */
  toDecline(options?: DecisionOptions): R
  /** Every hook that ran succeeded: none threw, timed out, returned no boolean, or was missing. */
  toHaveRunCleanly(): R
  /** Card code logged a text that contains this one, or that matches the expression. */
  toHaveLogged(expected: string | RegExp): R
  /** A balance, in rand. */
  toHaveBalance(expected: ExpectedBalance): R
}
