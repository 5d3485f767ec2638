// Long work in short turns. How long a turn is depends on the machine, and what the work does must not.

import { monotonicMs } from './clock.js'
import { setImmediate } from './timers.js'

/** How long others may wait for one turn, in ms. */
const turnMs = 5

/** Lets everything else go on once. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Runs the pieces of some work; between two turns of about five milliseconds everything else goes on.
 *
 * @param isWanted whether to continue, asked after everything else has had its turn
 */
export async function inTurns(pieces: Iterator<unknown>, isWanted: () => boolean): Promise<void> {
  let endsMs = monotonicMs() + turnMs
  while (!pieces.next().done) {
    if (monotonicMs() < endsMs) continue
    await nextTurn()
    if (!isWanted()) return
    endsMs = monotonicMs() + turnMs
  }
}
