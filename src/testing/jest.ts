// Matchers for `expect` of Jest, and a sandbox for a test file.

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
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
