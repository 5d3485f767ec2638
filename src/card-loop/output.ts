// The input and output of a command: the terminal, or a test.

import { writeFileSync } from 'node:fs'
import { LoopError } from './loop-error.js'
import type { KeySource } from './keys.js'

export interface Output {
  /** Prints one or more lines to standard output. */
  readonly print: (text: string) => void
  /** Prints to standard error. */
  readonly complain: (text: string) => void
  /** Relative paths of files start here. */
  readonly directory: string
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean
  /** The source of keys. */
  readonly keys?: KeySource | undefined
  /** Shows the progress of a long command, replacing what it showed before; undefined when output is not a terminal. */
  readonly progress?: ((text: string) => void) | undefined
}

/** Writes a file that the user calls `named`. Throws a {@link LoopError}. */
export function writeText(path: string, named: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new LoopError(`${named} cannot be written: ${(error as Error).message}.`)
  }
}
