// The public API `sandbox-server/card`: exports only.

export { defineCardTests } from './card-loop/node-test.js'
export type {
  AfterAdjustment,
  AfterDecline,
  AfterReversal,
  AfterTransaction,
  Authorization,
  BeforeTransaction,
} from './card-loop/hook-types.js'
