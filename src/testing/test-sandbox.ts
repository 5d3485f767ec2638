// A sandbox for a test file: there before the first test, as at its start before each, gone after the last.

import { coreOf, LocalSandbox, StartedSandbox } from '../node-api/local-sandbox.js'
import type { CreateOptions, StartOptions } from '../node-api/option-types.js'
import { readCreateOptions, readStartOptions } from '../node-api/options.js'
import type { SandboxOptions } from '../sandbox/sandbox.js'
import type { StartPoint } from '../scenario/start.js'

/** The hooks of a test runner. */
export interface Hooks {
  readonly beforeAll: (run: () => Promise<void>) => void
  readonly afterEach: (run: () => Promise<void>) => void
  readonly afterAll: (run: () => Promise<void>) => void
}

/** What a test runner's entry offers, over its hooks. */
export function testSandboxes({ beforeAll, afterEach, afterAll }: Hooks) {
  const follow = <S extends LocalSandbox>(sandbox: S, options: SandboxOptions): S => {
    let start: StartPoint | undefined
    beforeAll(async () => {
      sandbox.begin(await coreOf(options))
      await sandbox.core.main.open()
      start = sandbox.core.main.start
    })
    afterEach(async () => {
      if (start) await sandbox.core.resetTo(start)
    })
    afterAll(() => sandbox.close())
    return sandbox
  }
  return {
    /**
     * A sandbox for this test file, called at its top: open before the first test, reset after each, closed after the
     * last. Throws an OptionError that names the option that cannot be used.
     */
    useSandbox: (options?: CreateOptions): LocalSandbox => {
      const read = readCreateOptions(options)
      return follow(new LocalSandbox(), read)
    },

    /** The same, listening on a free port; its `url` is known from the first test on. */
    useStartedSandbox: (options?: StartOptions): StartedSandbox => {
      const read = readStartOptions(options)
      const sandbox = follow(new StartedSandbox(), read)
      beforeAll(() => sandbox.listen(read))
      return sandbox
    },
  }
}
