// Matchers for `expect` of Vitest, and a sandbox for a test file.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { cardTests } from '../card-loop/card-tests.js'
import { matchers } from './matchers.js'
import type { SandboxMatchers } from './matcher-types.js'
import { testSandboxes } from './test-sandbox.js'

export type { Counts, DecisionOptions, ExpectedBalance, SandboxMatchers } from './matcher-types.js'

expect.extend(matchers)

export const { useSandbox, useStartedSandbox } = testSandboxes({ beforeAll, afterEach, afterAll })

/**
 * Defines a test for each case of a `card.test.yaml`, given by its path relative to the working directory, or by its
 * `file:` URL. An unreadable file becomes one test, which fails with the reason.
 */
export const defineCardTests = cardTests({
  describe: (name, define) => {
    describe(name, define)
  },
  test: (name, run) => {
    test(name, run)
  },
})

// Vitest reads `Matchers` since 3.2 and `Assertion` before.
declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-explicit-any, @typescript-eslint/no-unused-vars -- how matchers are declared to `expect`
  interface Matchers<T = any> extends SandboxMatchers<void> {}
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-explicit-any, @typescript-eslint/no-unused-vars -- how matchers are declared to `expect`
  interface Assertion<T = any> extends SandboxMatchers<void> {}
}
