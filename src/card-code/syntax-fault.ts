// Whether a main.js can be parsed, in V8's words: checked when it is saved, and before it runs.

import { Script } from 'node:vm'
import { sourceFault } from './source-limits.js'

/** Why a main.js does not parse, and at which line (from 1). */
export interface SyntaxFault {
  readonly message: string
  readonly line: number
}

/** Why a source cannot be parsed; undefined when it can. The source is compiled, never run. */
export function syntaxFault(source: string): SyntaxFault | undefined {
  // A source that could block a parser is refused first.
  const refused = sourceFault(source)
  if (refused !== undefined) return refused
  try {
    new Script(source, { filename: 'main.js' })
    return undefined
  } catch (error) {
    // Under Jest it comes from another realm, so `instanceof` would be false.
    const { name, message, stack = '' } = error as Error
    if (name !== 'SyntaxError') return undefined
    return { message, line: Number(/^main\.js:(\d+)/.exec(stack)?.[1] ?? 1) }
  }
}

/** The same in the form of the record of saved code; null when it can be parsed. */
export function codeErrorOf(source: string) {
  const fault = syntaxFault(source)
  return fault === undefined ? null : ({ code: 'syntax-error', name: 'SyntaxError', ...fault } as const)
}
