// Finds in the source what V8's messages contain and the engine's do not: what was called, what was iterated, who
// called.
import { type ObjectPattern, Parser } from 'acorn'
import { type Functions, functionsOf } from './functions.js'
import { type Rewritten, rewrite } from './rewrite.js'
import {
  type FunctionNode,
  type Place,
  type Shape,
  firstKeyOf,
  isFunction,
  namesIn,
  parsed,
  parserOptions,
  shown,
  visit,
} from './syntax.js'

/** A call: where V8 reports it, and its callee as V8 writes it, computed on demand. */
interface Call extends Place {
  callee: () => string
  constructs: boolean
  /** Whether a member is called: `bank.pay()`. */
  ofMember: boolean
}

export interface Program extends Rewritten {
  /** The call whose opening bracket is at a place of the source. */
  call(place: Place): Call | undefined
  /** The key, if it is a literal, of a computed member whose bracket is at a place. */
  key(place: Place): string | undefined
  /** What is iterated at a place, as V8 writes it. */
  iterated(place: Place): string | undefined
  /** The first member of the first object that a function (which begins at a place) destructures in its parameters. */
  parameter(place: Place): string | undefined
  /** The first member that the only loop of a line takes of each item. */
  ofItems(line: number): string | undefined
  /** Whether a name is declared constant anywhere. */
  isConstant(name: string): boolean
  /** Where V8 reports what the engine reports at a place. */
  v8(place: Place): Place
  /** The functions of the source. */
  readonly functions: Functions
}

interface Index {
  calls: Map<string, Call>
  keys: Map<string, string>
  iterated: Map<string, Shape>
  parameters: Map<string, string>
  items: Map<number, string | undefined>
  constants: Set<string>
}

const name = ({ line, column }: Place): string => `${line}:${column}`

/** Reads main.js. A source that does not parse is run unchanged: the engine will report the error. */
export const readProgram = (source: string): Program => {
  const root = parsed(source)
  const rewritten = rewrite(source, root)
  const lines = source.split('\n')
  let index: Index | undefined
  const found = (): Index => (index ??= indexOf(root, source))
  let functions: Functions | undefined
  const call: Program['call'] = (place) => found().calls.get(name(place))
  return {
    ...rewritten,
    call,
    key: (place) => found().keys.get(name(place)),
    iterated: (place) => {
      const node = found().iterated.get(name(place))
      return node === undefined ? undefined : shown(node)
    },
    parameter: (place) => found().parameters.get(name(place)),
    ofItems: (line) => found().items.get(line),
    isConstant: (identifier) => found().constants.has(identifier),
    v8: (place) => {
      const at = call(place)
      if (at !== undefined) return { line: at.line, column: at.column }
      // The engine reports a property at its dot, V8 at its name.
      const dot = /^\??\.\s*/.exec(lines[place.line - 1]?.slice(place.column - 1) ?? '')
      return { line: place.line, column: place.column + (dot?.[0].length ?? 0) }
    },
    get functions() {
      return (functions ??= functionsOf(root, source))
    },
  }
}

/** Names that are known to be one: hooks have the same few names again and again. */
const identifiers = new Set<string>()
const maxIdentifiers = 20

/** True for a name that can be an identifier in a script. */
export const isIdentifier = (text: string): boolean => {
  if (identifiers.has(text)) return true
  try {
    const tokens = [...Parser.tokenizer(text, parserOptions)]
    if (tokens.length !== 1 || tokens[0]?.type.label !== 'name') return false
    if (identifiers.size < maxIdentifiers) identifiers.add(text)
    return true
  } catch {
    return false
  }
}

const indexOf = (root: Shape | undefined, source: string): Index => new Indexer(source).of(root)

/** Fills the index of a program, node by node. */
class Indexer {
  readonly #source: string
  readonly #index: Index = {
    calls: new Map(),
    keys: new Map(),
    iterated: new Map(),
    parameters: new Map(),
    items: new Map(),
    constants: new Set(),
  }

  constructor(source: string) {
    this.#source = source
  }

  of(root: Shape | undefined): Index {
    visit(root, (node) => this.#take(node))
    return this.#index
  }

  #take(node: Shape): void {
    const { keys, constants } = this.#index
    if (node.type === 'CallExpression' || node.type === 'NewExpression') this.#takeCall(node)
    else if (node.type === 'MemberExpression' && node.computed === true) {
      const property = node.property as Shape
      if (property.type === 'Literal')
        keys.set(name(this.#after(node.object as Shape)), String(property.value))
    } else if (node.type === 'ForOfStatement') this.#takeLoop(node)
    else if (node.type === 'SpreadElement') this.#takeIterated(node.argument as Shape)
    else if (node.type === 'VariableDeclaration' && node.kind === 'const')
      for (const part of node.declarations as Shape[])
        for (const declared of namesIn(part.id as Shape)) constants.add(declared)
    else if (isFunction(node)) this.#takeParameters(node, node)
    // The engine puts the place of a method at its name.
    else if (node.type === 'Property' || node.type === 'MethodDefinition') {
      const value = node.value as Shape
      if (isFunction(value) && (node.type === 'MethodDefinition' || node.method === true))
        this.#takeParameters(node, value)
    }
  }

  #takeCall(node: Shape): void {
    const callee = node.callee as Shape
    const constructs = node.type === 'NewExpression'
    const ofMember = callee.type === 'MemberExpression'
    const named = ofMember ? (callee.property as Shape) : callee
    const { line, column } = (constructs ? node : named).loc!.start
    this.#index.calls.set(name(this.#after(callee)), {
      callee: () => shown(callee),
      constructs,
      ofMember,
      line,
      column: column + 1,
    })
  }

  #takeLoop(node: Shape): void {
    this.#takeIterated(node.right as Shape)
    const { items } = this.#index
    const left = node.left as Shape
    const pattern = left.type === 'VariableDeclaration' ? (left.declarations as Shape[])[0]!.id : left
    const { line } = node.loc!.start
    const key = (pattern as Shape).type === 'ObjectPattern' ? firstKeyOf(pattern as Shape) : undefined
    items.set(line, items.has(line) ? undefined : key)
  }

  #takeIterated(node: Shape): void {
    const { iterated } = this.#index
    iterated.set(startOf(node), node)
    // The engine puts a property's place at its dot.
    if (node.type === 'MemberExpression') iterated.set(name(this.#after(node.object as Shape)), node)
  }

  /** The first key that the parameters of a function take apart. */
  #takeParameters(begins: Shape, { params }: FunctionNode): void {
    const patterns = params.map((param) => (param.type === 'AssignmentPattern' ? param.left : param))
    const [pattern, another] = patterns.filter(({ type }) => type === 'ObjectPattern') as ObjectPattern[]
    const first = pattern === undefined ? undefined : firstKeyOf(pattern as unknown as Shape)
    // With more than one to choose from, nobody can tell which it was.
    const isFlat = pattern?.properties.every(
      (property) => property.type !== 'Property' || property.value.type !== 'ObjectPattern',
    )
    if (first !== undefined && !another && isFlat) this.#index.parameters.set(startOf(begins), first)
  }

  /** The place after a node and what may stand between it and the next sign: brackets, a line break, `?.`. */
  #after(node: Shape): Place {
    const gap = /^(?:[\s)]|\?\.)*/.exec(this.#source.slice(node.end, node.end + maxGap))![0]
    const lines = gap.split('\n')
    const { end } = node.loc!
    const column = (lines.length === 1 ? end.column : 0) + lines.at(-1)!.length + 1
    return { line: end.line + lines.length - 1, column }
  }
}

const startOf = (node: Shape): string => {
  const { line, column } = node.loc!.start
  return name({ line, column: column + 1 })
}

// Nobody writes longer gaps; searching the whole rest for each call would take quadratic time.
const maxGap = 10_000
