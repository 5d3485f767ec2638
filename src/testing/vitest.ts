// Matchers for `expect` of Vitest, and a sandbox for a test file.

import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { matchers, type SandboxMatchers } from './matchers.js'
import { testSandboxes } from './test-sandbox.js'

export type { Counts, ExpectedBalance, SandboxMatchers } from './matchers.js'

expect.extend(matchers)

export const { useSandbox, useStartedSandbox } = testSandboxes({ beforeAll, afterEach, afterAll })

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-explicit-any, @typescript-eslint/no-unused-vars -- how matchers are declared to `expect`
  interface Assertion<T = any> extends SandboxMatchers<void> {}
}
