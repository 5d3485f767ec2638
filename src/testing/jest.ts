// Matchers for `expect` of Jest, and a sandbox for a test file.

import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import { matchers } from './matchers.js'
import type { SandboxMatchers } from './matcher-types.js'
import { testSandboxes } from './test-sandbox.js'

export type { Counts, DecisionOptions, ExpectedBalance, SandboxMatchers } from './matcher-types.js'

expect.extend(matchers)

export const { useSandbox, useStartedSandbox } = testSandboxes({ beforeAll, afterEach, afterAll })

declare module '@jest/expect' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- how matchers are declared to `expect`
  interface Matchers<R extends void | Promise<void>> extends SandboxMatchers<R> {}
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the types of @types/jest are a namespace
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- as above
    interface Matchers<R, T> extends SandboxMatchers<R> {}
  }
}
