// A sandbox for a test file: created before the first test, reset before each, closed after the last.

import { coreOf, LocalSandbox, StartedSandbox } from '../node-api/local-sandbox.js'
import { shownValue } from '../node-api/option-kinds.js'
import {
  OptionError,
  type CreateOptions,
  type StartOptions,
  type TestOptions,
} from '../node-api/option-types.js'
import { readCreateOptions, readStartOptions } from '../node-api/read-options.js'
import type { SandboxOptions } from '../sandbox/sandbox.js'
import type { StartPoint } from '../scenario/start.js'

/** The hooks of a test runner. */
export interface Hooks {
  readonly beforeAll: (run: () => Promise<void>) => void
  readonly afterEach: (run: () => Promise<void>) => void
  readonly afterAll: (run: () => Promise<void>) => void
}

/** Runs code once before the first test, so that no test waits for the engine; then resets. */
async function warmCardCode(sandbox: LocalSandbox, start: StartPoint): Promise<void> {
  const bank = await sandbox.core.main.open()
  const card = bank.cards.records.find(({ programmable }) => programmable)
  const code = 'const beforeTransaction = () => true'
  if (card) await sandbox.cards.simulate(card.cardKey, { code, centsAmount: 100 })
  await sandbox.core.resetTo(start)
}

function readTestOptions(options: unknown): { cardCode: boolean; others: unknown } {
  if (options !== Object(options) || !Object.hasOwn(options as object, 'cardCode'))
    return { cardCode: false, others: options }
  const { cardCode = false, ...others } = options as { cardCode?: unknown }
  if (typeof cardCode === 'boolean') return { cardCode, others }
  throw new OptionError('cardCode', `Option cardCode must be true or false, not ${shownValue(cardCode)}.`)
}

/** The sandbox functions of a test runner's entry, made from its hooks. */
export function testSandboxes({ beforeAll, afterEach, afterAll }: Hooks) {
  const follow = <S extends LocalSandbox>(sandbox: S, options: SandboxOptions, cardCode: boolean): S => {
    let start: StartPoint | undefined
    beforeAll(async () => {
      sandbox.begin(await coreOf(options))
      await sandbox.core.main.open()
      start = sandbox.core.main.start
      if (cardCode) await warmCardCode(sandbox, start)
    })
    afterEach(async () => {
      if (start) await sandbox.core.resetTo(start)
    })
    afterAll(() => sandbox.close())
    return sandbox
  }
  return {
    /**
     * A sandbox for this test file, called at its top level: created before the first test, reset after each, closed
     * after the last. Throws an OptionError that names the invalid option.
     */
    useSandbox: (options?: TestOptions & CreateOptions): LocalSandbox => {
      const { cardCode, others } = readTestOptions(options)
      return follow(new LocalSandbox(), readCreateOptions(others), cardCode)
    },

    /** The same, listening on a free port; its `url` is known from the first test on. */
    useStartedSandbox: (options?: TestOptions & StartOptions): StartedSandbox => {
      const { cardCode, others } = readTestOptions(options)
      const read = readStartOptions(others)
      const sandbox = follow(new StartedSandbox(), read, cardCode)
      beforeAll(() => sandbox.listen(read))
      return sandbox
    },
  }
}
