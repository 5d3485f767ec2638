// Card tests for the test runner of Node.js.

import { describe, test } from 'node:test'
import { cardTests } from './card-tests.js'

/**
 * Defines a test for each case of a `card.test.yaml`, given by its path relative to the working directory, or by its
 * `file:` URL. An unreadable file becomes one test, which fails with the reason.
 */
export const defineCardTests = cardTests({
  describe: (name, define) => {
    void describe(name, define)
  },
  test: (name, run) => {
    void test(name, run)
  },
})
