// The types of card code, for an editor and for checked JavaScript: `/** @type {BeforeTransaction} */`.

import type { Authorization } from '../bank/cards/hook-argument.js'

export type { Authorization }

/**
 * Decides a purchase: true approves it, false declines it. Whatever else it returns, an error, and more than two seconds
 * approve it too.
 */
export type BeforeTransaction = (authorization: Authorization) => Promise<boolean>

/** Runs after a purchase was approved; it has 15 seconds. */
export type AfterTransaction = (transaction: Authorization) => Promise<void>

/** Runs after a purchase was declined; it has 15 seconds. */
export type AfterDecline = (transaction: Authorization) => Promise<void>

/** Runs after a purchase was reversed; it has 15 seconds. */
export type AfterReversal = (transaction: Authorization) => Promise<void>

/** Runs after a purchase was given another amount; it has 15 seconds. */
export type AfterAdjustment = (transaction: Authorization) => Promise<void>
