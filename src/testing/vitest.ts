// Matchers for `expect` of Vitest, and a sandbox for a test file.

import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { matchers } from './matchers.js'
import type { SandboxMatchers } from './matcher-types.js'
import { testSandboxes } from './test-sandbox.js'

export type { Counts, DecisionOptions, ExpectedBalance, SandboxMatchers } from './matcher-types.js'

expect.extend(matchers)

export const { useSandbox, useStartedSandbox } = testSandboxes({ beforeAll, afterEach, afterAll })

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-explicit-any, @typescript-eslint/no-unused-vars -- how matchers are declared to `expect`
  interface Assertion<T = any> extends SandboxMatchers<void> {}
}
