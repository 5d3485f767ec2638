// Where a command reads and writes: the terminal, or a test.

export interface Output {
  /** Prints a line, or several, to standard output. */
  readonly print: (text: string) => void
  /** Prints to standard error. */
  readonly complain: (text: string) => void
  /** Against which the paths of files are read. */
  readonly directory: string
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean
  /** Columns and rows of the terminal. */
  readonly size: { readonly columns: number; readonly rows: number }
}
