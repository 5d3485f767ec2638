// Runs versions of card code for purchases. Each purchase is a simulation on a real bank, with its own time and
// reference, whose argument every version gets; only the decision counts, so after hooks do not run.

import { availableParallelism } from 'node:os'
import type { OutboundStub } from '../faults/outbound-stubs.js'
import type { PastPurchase } from './backtest-purchases.js'
import type { Outcome } from '../card-code/host/runner.js'
import type { BankUnderTest, Lens } from './bank-under-test.js'
import { type CardProgram, install, simulate } from './decision.js'
import { prepare } from './run.js'

/** The result of a purchase: `failed` means that the code made no decision, so that the bank approves. */
export type Verdict = 'approved' | 'declined' | 'failed'
const verdicts: readonly Verdict[] = ['approved', 'declined', 'failed']

export interface BacktestInput {
  readonly bank: BankUnderTest
  readonly cardKey: string
  readonly purchases: readonly PastPurchase[]
  /** The new one first. */
  readonly versions: readonly [CardProgram, ...CardProgram[]]
  readonly stubs: readonly OutboundStub[]
  readonly tell: (done: number, total: number) => void
}

/** The verdicts of each version, by the index of the purchase. */
export async function decideAll(input: BacktestInput): Promise<Verdict[][]> {
  const { bank, purchases, versions, tell } = input
  // What could not run at all has failed.
  const decided = versions.map(() => new Uint8Array(purchases.length).fill(verdicts.indexOf('failed')))
  const total = purchases.length * versions.length
  let next = 0
  let done = 0
  const work = async (number: number): Promise<void> => {
    const lane = await bank.lane(number)
    await prepare(lane, { stubs: input.stubs, network: 'deny' })
    // The bank refuses code that it would not run; all versions use the variables of the card.
    for (const program of versions.toReversed()) await install(lane, input.cardKey, program)
    const [{ code }] = versions
    for (let index = next++; index < purchases.length; index = next++) {
      const past = purchases[index]!
      const run: Lens['run'] = async (given, runner) => {
        const results = await Promise.all(versions.map((each) => runner.run({ ...given, source: each.code })))
        for (const [version, { outcome }] of results.entries())
          decided[version]![index] = verdicts.indexOf(verdictOf(outcome))
        return results[0]!
      }
      await simulate(lane, input.cardKey, code, past.purchase, { ...lensOf(past, index), run })
      tell((done += versions.length), total)
    }
  }
  // One more than threads: while one purchase is prepared, each thread has another to decide.
  const lanes = Math.max(1, Math.min(availableParallelism() + 1, Math.ceil(purchases.length / 100)))
  await Promise.all(Array.from({ length: lanes }, (_, number) => work(number)))
  return decided.map((list) => Array.from(list, (verdict) => verdicts[verdict]!))
}

const verdictOf = ({ end, value, returnedType }: Outcome): Verdict =>
  end !== 'returned' || returnedType !== 'boolean' ? 'failed' : value === true ? 'approved' : 'declined'

/** The purchase's own time, reference and random seed: any bank gives the same result. */
function lensOf({ id, dateTime, cardKey }: PastPurchase, index: number): Lens {
  return {
    isSkipped: (hook) => hook !== 'beforeTransaction',
    input: (run) => ({
      ...run,
      seed: index,
      time: { nowMs: Date.parse(dateTime), frozen: true },
      payload: { ...(run.payload as object), dateTime, reference: id, card: { id: cardKey } },
    }),
  }
}
