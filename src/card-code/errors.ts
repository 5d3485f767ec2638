// The engine's errors in V8's words. QuickJS says "not a function" and where; V8 says what was called. The source is at
// hand, so the callee is read from it; catch clauses are rewritten to have their error mended before card code sees it.
import { Script } from 'node:vm'
import { type CatchClause, type Node, Parser, parse } from 'acorn'

/** main.js as it is run: catch clauses call `__caught`, and positions lead back to the source as written. */
export interface Program {
  code: string
  /** The place in the source as written, for a place in the code that runs. */
  place(line: number, column: number): { line: number; column: number }
  /** The call whose opening bracket is at a place: its callee in V8's words, and where V8 says that it happens. */
  call(line: number, column: number): Call | undefined
  /** Where V8 puts what the engine puts at a place. */
  name(line: number, column: number): { line: number; column: number }
}

interface Call {
  callee: string
  line: number
  column: number
}

interface Insertion {
  line: number
  column: number
  length: number
}

const options = { ecmaVersion: 'latest', locations: true } as const

/** Reads main.js. A source that does not parse is run as it is: the engine will say what is wrong with it. */
export const readProgram = (source: string): Program => {
  const insertions: Insertion[] = []
  let tree: Node | undefined
  const program = (): Node | undefined => {
    try {
      return (tree ??= parse(source, options))
    } catch {
      return undefined
    }
  }
  const code = /\bcatch\s*\(/.test(source) ? rewritten(source, program(), insertions) : source
  const lines = source.split('\n')
  const place: Program['place'] = (line, column) => {
    const before = insertions.filter((inserted) => inserted.line === line && inserted.column < column)
    return { line, column: before.reduce((at, inserted) => at - inserted.length, column) }
  }
  let calls: Map<string, Call> | undefined
  const call: Program['call'] = (line, column) =>
    (calls ??= callsOf(program(), source)).get(`${line}:${column}`)
  // The engine puts a property's place at its dot, V8 at its name.
  const name: Program['name'] = (line, column) => {
    const dot = /^\??\.\s*/.exec(lines[line - 1]?.slice(column - 1) ?? '')
    return { line, column: column + (dot?.[0].length ?? 0) }
  }
  return { code, place, call, name }
}

const rewritten = (source: string, tree: Node | undefined, insertions: Insertion[]): string => {
  if (tree === undefined) return source
  const clauses: { at: number; text: string; line: number; column: number }[] = []
  visit(tree, (node) => {
    if (node.type !== 'CatchClause') return
    const { param, body } = node as CatchClause
    if (param?.type !== 'Identifier') return
    const { line, column } = body.loc!.start
    clauses.push({ at: body.start + 1, text: `__caught(${param.name});`, line, column: column + 1 })
  })
  clauses.sort((a, b) => a.at - b.at)
  let code = ''
  let from = 0
  let shift = { line: 0, by: 0 }
  for (const { at, text, line, column } of clauses) {
    code += source.slice(from, at) + text
    from = at
    if (shift.line !== line) shift = { line, by: 0 }
    insertions.push({ line, column: column + shift.by, length: text.length })
    shift.by += text.length
  }
  return code + source.slice(from)
}

const visit = (node: Node, see: (node: Node) => void): void => {
  // An explicit stack: card code may nest deeper than a recursive walk could follow.
  const open: Node[] = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    see(next)
    for (const value of Object.values(next)) {
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (typeof item === 'object' && item !== null && 'type' in item) open.push(item as Node)
      }
    }
  }
}

type Shape = Node & Record<string, unknown>

// The engine puts a call's place at its opening bracket; V8 at the name that is called, or at `new`.
const callsOf = (tree: Node | undefined, source: string): Map<string, Call> => {
  const calls = new Map<string, Call>()
  if (tree === undefined) return calls
  visit(tree, (node) => {
    const callee = (node as Shape).callee as Shape | undefined
    if ((node.type !== 'CallExpression' && node.type !== 'NewExpression') || callee === undefined) return
    // Brackets around the callee, a line break or `?.` may stand between it and the bracket of the call.
    const gap = /^(?:[\s)]|\?\.)*/.exec(source.slice(callee.end))![0]
    const lines = gap.split('\n')
    const end = callee.loc!.end
    const line = end.line + lines.length - 1
    const column = (lines.length === 1 ? end.column : 0) + lines.at(-1)!.length + 1
    const named = callee.type === 'MemberExpression' ? (callee.property as Node) : callee
    const { start } = node.type === 'NewExpression' ? node.loc! : named.loc!
    calls.set(`${line}:${column}`, { callee: shown(callee), line: start.line, column: start.column + 1 })
  })
  return calls
}

// V8 prints names, member chains and calls; what it has no name for is an intermediate value.
const shown = (node: Shape): string => {
  const part = (name: string): string => shown(node[name] as Shape)
  switch (node.type) {
    case 'Identifier':
      return node.name as string
    case 'ThisExpression':
      return 'this'
    case 'Super':
      return 'super'
    case 'Literal':
      return node.raw as string
    case 'ChainExpression':
      return part('expression')
    case 'PrivateIdentifier':
      return `#${node.name as string}`
    case 'CallExpression':
      return `${part('callee')}(...)`
    case 'MemberExpression':
      if (node.computed !== true) return `${part('object')}.${part('property')}`
      return `${part('object')}[${part('property')}]`
    default:
      return '(intermediate value)'
  }
}

const wordings: [RegExp, string][] = [
  [/^'(.*)' is not defined$/, '$1 is not defined'],
  [/^cannot read property '(.*)' of (undefined|null)$/, "Cannot read properties of $2 (reading '$1')"],
  [/^cannot read property of (undefined|null)$/, 'Cannot read properties of $1'],
  [/^cannot set property '(.*)' of (undefined|null)$/, "Cannot set properties of $2 (setting '$1')"],
  [/^'(.*)' is read-only$/, 'Assignment to constant variable.'],
  [/^invalid array length$/, 'Invalid array length'],
  [
    /^(?:cannot convert to object|Cannot convert undefined or null to object)$/,
    'Cannot convert undefined or null to object',
  ],
  [/^(.*) is not initialized$/, "Cannot access '$1' before initialization"],
  [/^invalid number of digits$/, 'toFixed() digits argument must be between 0 and 100'],
  [/^expecting hex digit$/, 'URI malformed'],
  [/^cannot convert symbol to string$/, 'Cannot convert a Symbol value to a string'],
  [/^cannot convert symbol to number$/, 'Cannot convert a Symbol value to a number'],
  [/^cannot convert bigint to number$/i, 'Cannot mix BigInt and other types, use explicit conversions'],
  [/^circular reference$/, 'Converting circular structure to JSON'],
  [/^object is not extensible$/, 'Cannot add property, object is not extensible'],
  [/^Date value is NaN$/, 'Invalid time value'],
  [/^invalid 'in' operand$/, "Cannot use 'in' operator to search for a key in a value that is no object"],
  [/^invalid 'instanceof' right operand$/, "Right-hand side of 'instanceof' is not callable"],
  [/^value is not iterable$/, 'object is not iterable'],
]

/** What the engine reports of an error: the name of its kind, its message and its raw stack. */
export interface RawError {
  kind: string
  message: string
  stack: string
}

interface Frame {
  name: string
  file: string
  line: number
  column: number
}

const framePattern = /^ {4}at (?:(.*?) \()?([^()\s]*?)(?::(\d+):(\d+))?\)?$/

const framesOf = (stack: string): Frame[] =>
  stack.split('\n').flatMap((line) => {
    if (line.endsWith('(native)')) {
      return [{ name: line.slice(7, -9), file: 'native', line: 0, column: 0 }]
    }
    const found = framePattern.exec(line)
    if (found === null) return []
    return [
      { name: found[1] ?? '', file: found[2]!, line: Number(found[3] ?? 0), column: Number(found[4] ?? 0) },
    ]
  })

/** The engine's message in V8's words. */
export const reword = (error: RawError, program: Program): { kind: string; message: string } => {
  const { kind, message } = error
  if (kind === 'InternalError' && message.includes('stack overflow')) {
    return { kind: 'RangeError', message: 'Maximum call stack size exceeded' }
  }
  const frames = framesOf(error.stack)
  const [top] = frames
  if (message === 'not a function' || message === 'not a constructor') {
    const what = message.slice(4)
    const at = top?.file === 'main.js' ? program.place(top.line, top.column) : undefined
    const callee = at === undefined ? undefined : program.call(at.line, at.column)?.callee
    return { kind, message: `${callee ?? 'object'} is not a ${what}` }
  }
  const called = /^class constructors must be invoked with 'new'$/.test(message)
  if (called) return { kind, message: `Class constructor ${top?.name ?? ''} cannot be invoked without 'new'` }
  if (message === 'this is not initialized') {
    const must =
      "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"
    return { kind, message: must }
  }
  if (message === 'invalid repeat count') {
    return { kind, message: 'Invalid count value: -1' }
  }
  for (const [pattern, wording] of wordings) {
    if (pattern.test(message)) return { kind, message: message.replace(pattern, wording) }
  }
  return { kind, message }
}

const written = (program: Program, frame: Frame): { line: number; column: number } => {
  const at = program.place(frame.line, frame.column)
  return program.call(at.line, at.column) ?? program.name(at.line, at.column)
}

/** A raw stack as V8 prints it: the prelude's own frames are left out, and main.js has its places as written. */
export const printFrames = (stack: string, program: Program, limit = 10): string =>
  framesOf(stack)
    .filter(({ file }) => file !== 'prelude.js' && file !== '<input>')
    .slice(0, limit)
    .map((frame) => {
      if (frame.file === 'native') return `\n    at ${frame.name} (<anonymous>)`
      const { line, column } = written(program, frame)
      const where = `${frame.file}:${line}:${column}`
      const named = frame.name !== '' && frame.name !== '<eval>' && frame.name !== '<anonymous>'
      return named ? `\n    at ${frame.name} (${where})` : `\n    at ${where}`
    })
    .join('')

const compile = (source: string): Script => new Script(source, { filename: 'main.js' })

/** What V8 says of a source that does not parse. The source is compiled, never run. */
export const syntaxError = (source: string): { message: string; line: number } | undefined => {
  try {
    compile(source)
    return undefined
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SyntaxError') return undefined
    const line = /^main\.js:(\d+)/.exec(error.stack ?? '')?.[1]
    return { message: error.message, line: Number(line ?? 1) }
  }
}

/** True for a name that can stand in a script as an identifier. */
export const isIdentifier = (name: string): boolean => {
  try {
    const tokens = [...Parser.tokenizer(name, options)]
    return tokens.length === 1 && tokens[0]?.type.label === 'name'
  } catch {
    return false
  }
}
