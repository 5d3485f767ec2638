// Parses a main.js with acorn, in time that grows with its length: acorn looks each declared name up in a list of all
// before it, and notes a `var` in each block around it.

import { type Node, type Options, Parser } from 'acorn'

/** The lists of names of a scope, as acorn uses them. */
interface Scope {
  var: NameList
  lexical: NameList
  functions: NameList
}

/** What acorn's types keep to themselves. */
interface ParserParts {
  readonly scopeStack: readonly Scope[]
  enterScope(flags: number): void
  declareName(name: string, bindingType: number, position: number): void
}

/** The part of a list that acorn needs, with a lookup in constant time. */
class NameList {
  readonly #names = new Set<string>()
  /** The first name. */
  0: string | undefined

  push(name: string): void {
    this[0] ??= name
    this.#names.add(name)
  }

  indexOf(name: string): number {
    return this.#names.has(name) ? 0 : -1
  }
}

/** How many blocks all declarations together may lie in. */
const maxBlocks = 2_000_000

const LinearParser = Parser.extend((Base) => {
  const parts = Base.prototype as unknown as ParserParts
  class Linear extends Base {
    #blocks = 0

    enterScope(flags: number): void {
      parts.enterScope.call(this, flags)
      const { scopeStack } = this as unknown as ParserParts
      const scope = scopeStack.at(-1)!
      scope.var = new NameList()
      scope.lexical = new NameList()
      scope.functions = new NameList()
    }

    declareName(name: string, bindingType: number, position: number): void {
      this.#blocks += (this as unknown as ParserParts).scopeStack.length
      if (this.#blocks > maxBlocks) throw new RangeError('The source nests too many declarations.')
      parts.declareName.call(this, name, bindingType, position)
    }
  }
  return Linear
})

/** Parses a source. Throws acorn's SyntaxError, or a RangeError for a source that nests too deeply. */
export const parseSource = (source: string, options: Options): Node => LinearParser.parse(source, options)
