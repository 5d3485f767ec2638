// Card tests for the test runner of Node.js.

import { describe, test } from 'node:test'
import { cardTests } from './card-tests.js'

/**
 * Defines a test for each case of a `card.test.yaml`, given by its path against the working directory, or its `file:` URL.
 * A file that cannot be read is one test, which fails and says why.
 */
export const defineCardTests = cardTests({
  describe: (name, define) => {
    void describe(name, define)
  },
  test: (name, run) => {
    void test(name, run)
  },
})
