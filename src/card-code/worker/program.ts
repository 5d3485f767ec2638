// main.js as it is run. The engine gives places and plain reasons; what V8 would say besides (what was called, what was
// iterated) is read from the source. Catch clauses, what is taken apart, and calls whose value nobody takes are rewritten
// in place, so that card code sees V8's wording and no rejection is lost; lines stay as they are, columns are led back.
import {
  type AssignmentProperty,
  type CatchClause,
  type Function as AcornFunction,
  type Node,
  type ObjectPattern,
  Parser,
  type VariableDeclarator,
  parse,
} from 'acorn'

export interface Place {
  line: number
  column: number
}

/** A call: where V8 says that it happens, and its callee in V8's words, made when it is asked for. */
export interface Call extends Place {
  callee: () => string
  constructs: boolean
}

export interface Program {
  code: string
  /** The place in the source as written, for a place in the code that runs. */
  written(place: Place): Place
  /** The call whose opening bracket is at a place of the source. */
  call(place: Place): Call | undefined
  /** The key, if it is a literal, of a computed member whose bracket is at a place. */
  key(place: Place): string | undefined
  /** What is iterated at a place, in V8's words. */
  iterated(place: Place): string | undefined
  /** The first member of the first object that a function which begins at a place takes apart in its parameters. */
  parameter(place: Place): string | undefined
  /** Whether a name is declared constant anywhere. */
  isConstant(name: string): boolean
  /** Where V8 puts what the engine puts at a place. */
  v8(place: Place): Place
}

interface Insertion extends Place {
  at: number
  text: string
}

type Shape = Node & Record<string, unknown>

interface Index {
  calls: Map<string, Call>
  keys: Map<string, string>
  iterated: Map<string, Shape>
  parameters: Map<string, string>
  constants: Set<string>
}

const options = { ecmaVersion: 'latest', locations: true } as const
const name = ({ line, column }: Place): string => `${line}:${column}`

/** Reads main.js. A source that does not parse is run as it is: the engine will say what is wrong with it. */
export const readProgram = (source: string): Program => {
  let tree: Node | undefined | null
  const root = (): Node | undefined => {
    if (tree === undefined) tree = parsed(source)
    return tree ?? undefined
  }
  const insertions = insertionsOf(root())
  const lines = source.split('\n')
  let index: Index | undefined
  const found = (): Index => (index ??= indexOf(root(), source))
  const call: Program['call'] = (place) => found().calls.get(name(place))
  return {
    code: inserted(source, insertions),
    written: (place) => lead(place, insertions),
    call,
    key: (place) => found().keys.get(name(place)),
    iterated: (place) => {
      const node = found().iterated.get(name(place))
      return node === undefined ? undefined : shown(node)
    },
    parameter: (place) => found().parameters.get(name(place)),
    isConstant: (identifier) => found().constants.has(identifier),
    v8: (place) => {
      const at = call(place)
      if (at !== undefined) return { line: at.line, column: at.column }
      // The engine puts a property's place at its dot, V8 at its name.
      const dot = /^\??\.\s*/.exec(lines[place.line - 1]?.slice(place.column - 1) ?? '')
      return { line: place.line, column: place.column + (dot?.[0].length ?? 0) }
    },
  }
}

const parsed = (source: string): Node | null => {
  try {
    return parse(source, options)
  } catch {
    return null
  }
}

/** True for a name that can stand in a script as an identifier. */
export const isIdentifier = (text: string): boolean => {
  try {
    const tokens = [...Parser.tokenizer(text, options)]
    return tokens.length === 1 && tokens[0]?.type.label === 'name'
  } catch {
    return false
  }
}

const visit = (root: Node | undefined, see: (node: Shape) => void): void => {
  // An explicit stack: card code may nest deeper than a recursive walk could follow.
  const open = root === undefined ? [] : [root as Shape]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    see(next)
    for (const value of Object.values(next)) {
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (typeof item === 'object' && item !== null && 'type' in item) open.push(item as Shape)
      }
    }
  }
}

const insertionsOf = (root: Node | undefined): Insertion[] => {
  const insertions: Insertion[] = []
  const insert = (at: number, { line, column }: Place, text: string): void => {
    insertions.push({ at, line, column: column + 1, text })
  }
  visit(root, (node) => {
    if (node.type === 'CatchClause') {
      const { param, body } = node as unknown as CatchClause
      if (param?.type !== 'Identifier') return
      const { line, column } = body.loc!.start
      insert(body.start + 1, { line, column: column + 1 }, `__caught(${param.name});`)
    } else if (node.type === 'ObjectPattern') {
      // A default is looked at in its turn and where its member is read: nothing is read twice.
      for (const property of (node as unknown as ObjectPattern).properties) {
        if (property.type !== 'Property' || property.value.type !== 'ObjectPattern') continue
        const [first] = property.value.properties
        if (first?.type !== 'Property') continue
        const { value } = property
        insert(value.end, value.loc!.end, ` = __missing(${JSON.stringify(keyOf(first))})`)
      }
    } else if (node.type === 'ExpressionStatement') {
      const expression = node.expression as Shape
      if (expression.type !== 'CallExpression' || (expression.callee as Shape).type === 'Super') return
      insert(expression.start, expression.loc!.start, '__floating(')
      insert(expression.end, expression.loc!.end, ')')
    } else if (node.type === 'VariableDeclarator') {
      const { id, init } = node as unknown as VariableDeclarator
      if (init === null || init === undefined) return
      const wrap = (by: string, ...labels: unknown[]): void => {
        insert(init.start, init.loc!.start, `${by}((`)
        insert(init.end, init.loc!.end, `),${labels.map((label) => JSON.stringify(label)).join()})`)
      }
      const from = init as unknown as Shape
      if (id.type === 'ArrayPattern') wrap('__listed', listLabel(from))
      else if (id.type === 'ObjectPattern' && id.properties[0]?.type === 'Property')
        wrap('__held', keyOf(id.properties[0]), shown(from))
    }
  })
  return insertions.sort((a, b) => a.at - b.at)
}

const keyOf = ({ key, computed }: AssignmentProperty): string =>
  key.type === 'Identifier' && !computed ? key.name : '(intermediate value)'

/** What V8 calls a thing that is taken apart as a list; null where it describes the value instead. */
const listLabel = (node: Shape): string | null => {
  switch (node.type) {
    case 'Identifier':
    case 'Literal':
    case 'AwaitExpression':
      return shown(node)
    case 'CallExpression': {
      const callee = node.callee as Shape
      return callee.type === 'Identifier'
        ? `${callee.name as string} is not a function or its return value`
        : null
    }
    default:
      return null
  }
}

const inserted = (source: string, insertions: Insertion[]): string => {
  let code = ''
  let from = 0
  for (const { at, text } of insertions) {
    code += source.slice(from, at) + text
    from = at
  }
  return code + source.slice(from)
}

const lead = ({ line, column }: Place, insertions: Insertion[]): Place => {
  let at = column
  for (const insertion of insertions) {
    // Those before it have been taken off already: what remains is compared with the source's own columns.
    if (insertion.line === line && insertion.column < at)
      at = Math.max(insertion.column, at - insertion.text.length)
  }
  return { line, column: at }
}

const indexOf = (root: Node | undefined, source: string): Index => {
  const index: Index = {
    calls: new Map(),
    keys: new Map(),
    iterated: new Map(),
    parameters: new Map(),
    constants: new Set(),
  }
  // The place after a node and what may stand between it and the next sign: brackets around it, a line break, `?.`.
  const after = (node: Node): Place => {
    const gap = /^(?:[\s)]|\?\.)*/.exec(source.slice(node.end))![0]
    const lines = gap.split('\n')
    const { end } = node.loc!
    const column = (lines.length === 1 ? end.column : 0) + lines.at(-1)!.length + 1
    return { line: end.line + lines.length - 1, column }
  }
  const startOf = (node: Node): string => {
    const { line, column } = node.loc!.start
    return name({ line, column: column + 1 })
  }
  const iterates = (node: Shape): void => {
    index.iterated.set(startOf(node), node)
    // The engine puts a property's place at its dot.
    if (node.type === 'MemberExpression') index.iterated.set(name(after(node.object as Node)), node)
  }
  const takesApart = (begins: Node, { params }: FunctionNode): void => {
    const patterns = params.map((param) => (param.type === 'AssignmentPattern' ? param.left : param))
    const [pattern, another] = patterns.filter(({ type }) => type === 'ObjectPattern') as ObjectPattern[]
    const first = pattern?.properties[0]
    // With more than one to choose from, nobody can tell which it was.
    const isFlat = pattern?.properties.every(
      (property) => property.type !== 'Property' || property.value.type !== 'ObjectPattern',
    )
    if (first?.type === 'Property' && !another && isFlat) index.parameters.set(startOf(begins), keyOf(first))
  }
  visit(root, (node) => {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const callee = node.callee as Shape
      const constructs = node.type === 'NewExpression'
      const named = callee.type === 'MemberExpression' ? (callee.property as Node) : callee
      const { line, column } = (constructs ? node : named).loc!.start
      index.calls.set(name(after(callee)), {
        callee: () => shown(callee),
        constructs,
        line,
        column: column + 1,
      })
    } else if (node.type === 'MemberExpression' && node.computed === true) {
      const property = node.property as Shape
      if (property.type === 'Literal')
        index.keys.set(name(after(node.object as Node)), String(property.value))
    } else if (node.type === 'ForOfStatement') iterates(node.right as Shape)
    else if (node.type === 'SpreadElement') iterates(node.argument as Shape)
    else if (node.type === 'VariableDeclaration' && node.kind === 'const')
      visit(node, (part) => {
        if (part.type === 'VariableDeclarator')
          for (const declared of namesIn(part.id as Shape)) index.constants.add(declared)
      })
    else if (isFunction(node)) takesApart(node, node)
    // The engine puts the place of a method at its name.
    else if (node.type === 'Property' || node.type === 'MethodDefinition') {
      const value = node.value as Shape
      if (isFunction(value) && (node.type === 'MethodDefinition' || node.method === true))
        takesApart(node, value)
    }
  })
  return index
}

type FunctionNode = Shape & AcornFunction

const isFunction = (node: Shape): node is FunctionNode =>
  node.type === 'ArrowFunctionExpression' ||
  node.type === 'FunctionExpression' ||
  node.type === 'FunctionDeclaration'

/** The names that a pattern declares. */
const namesIn = (pattern: Shape): string[] => {
  const names: string[] = []
  visit(pattern, (node) => {
    if (node.type === 'Identifier') names.push(node.name as string)
  })
  return names
}

// Card code may chain longer than a message needs to show.
const maxDepth = 20

// V8 prints names, member chains and calls; what it has no name for is an intermediate value.
const shown = (node: Shape, depth = 0): string => {
  if (depth > maxDepth) return '(intermediate value)'
  const part = (field: string): string => shown(node[field] as Shape, depth + 1)
  switch (node.type) {
    case 'Identifier':
      return node.name as string
    case 'ThisExpression':
      return 'this'
    case 'Super':
      return 'super'
    case 'Literal':
      return typeof node.value === 'string' ? `"${node.value}"` : (node.raw as string)
    case 'ArrayExpression':
      return `[${(node.elements as (Shape | null)[]).map((item) => (item === null ? '' : shown(item, depth + 1))).join(',')}]`
    case 'ChainExpression':
      return part('expression')
    case 'PrivateIdentifier':
      return `#${node.name as string}`
    case 'CallExpression':
      return `${part('callee')}(...)`
    case 'MemberExpression': {
      const property = node.property as Shape
      if (node.computed !== true) return `${part('object')}.${part('property')}`
      if (property.type === 'Literal' && typeof property.value === 'string')
        return `${part('object')}.${property.value}`
      return `${part('object')}[${part('property')}]`
    }
    default:
      return '(intermediate value)'
  }
}
