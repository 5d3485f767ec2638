// Mistakes of the user: printed as sentences, exit code 2.

/** A mistake in the command line or in a file. Each line of the message is one sentence. */
export class LoopError extends Error {
  override readonly name = 'LoopError'
}
