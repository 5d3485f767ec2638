// The types of card code, for an editor and for checked JavaScript: `/** @type {BeforeTransaction} */`.

import type { Authorization } from '../bank/cards/hook-argument.js'

export type { Authorization }

/**
 * Decides a purchase: true approves it, false declines it. Any other result, an error, and a run of more than two
 * seconds approve it too.
 */
export type BeforeTransaction = (authorization: Authorization) => Promise<boolean>

/** Runs after a purchase was approved; it has 15 seconds. */
export type AfterTransaction = (transaction: Authorization) => Promise<void>

/** Runs after a purchase was declined; it has 15 seconds. */
export type AfterDecline = (transaction: Authorization) => Promise<void>

/** Runs after a purchase was reversed; it has 15 seconds. */
export type AfterReversal = (transaction: Authorization) => Promise<void>

/** Runs after the amount of a purchase was changed; it has 15 seconds. */
export type AfterAdjustment = (transaction: Authorization) => Promise<void>
