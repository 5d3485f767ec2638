// main.js as it is run: catch clauses, destructuring, spreads, and calls whose value is not used are rewritten in
// place, so that card code sees V8's wording and no rejection is lost. Lines stay the same; columns are mapped back.
import type { AssignmentProperty, CatchClause, ObjectPattern, VariableDeclarator } from 'acorn'
import { type Place, type Shape, firstKeyOf, keyOf, shown, visit } from './syntax.js'

interface Insertion extends Place {
  at: number
  text: string
  /** At one position, closing text comes before opening text. */
  opens: boolean
}

/** Source that runs in place of what was written. */
export interface Rewritten {
  code: string
  /** The place in the source as written, for a place in the code that runs. */
  written(place: Place): Place
  /** The original text of a piece of the running code; undefined for text that is not part of it. */
  original(piece: string): string | undefined
}

/** Rewrites a source that parses; any other is run unchanged. */
export const rewrite = (source: string, root: Shape | undefined): Rewritten => {
  const insertions = insertionsOf(root)
  let code = ''
  let from = 0
  const places: number[] = []
  for (const { at, text } of insertions) {
    code += source.slice(from, at)
    places.push(code.length)
    code += text
    from = at
  }
  code += source.slice(from)
  return {
    code,
    written: (place) => lead(place, insertions),
    original: (piece) => {
      const start = code.indexOf(piece)
      if (start < 0) return undefined
      let text = ''
      let read = start
      places.forEach((place, index) => {
        if (place < start || place >= start + piece.length) return
        text += code.slice(read, place)
        read = place + insertions[index]!.text.length
      })
      return text + code.slice(read, start + piece.length)
    },
  }
}

const lead = ({ line, column }: Place, insertions: readonly Insertion[]): Place => {
  let at = column
  for (const insertion of insertions) {
    // Those before it have been taken off already: what remains is compared with the source's own columns.
    if (insertion.line === line && insertion.column < at)
      at = Math.max(insertion.column, at - insertion.text.length)
  }
  return { line, column: at }
}

const insertionsOf = (root: Shape | undefined): Insertion[] => {
  const insertions: Insertion[] = []
  const insert = (at: number, { line, column }: Place, text: string, opens: boolean): void => {
    insertions.push({ at, line, column: column + 1, text, opens })
  }
  const before = (node: Shape, text: string): void => insert(node.start, node.loc!.start, text, true)
  const after = (node: Shape, text: string): void => insert(node.end, node.loc!.end, text, false)
  const wrap = (node: Shape, by: string, ...labels: unknown[]): void => {
    before(node, `${by}((`)
    after(node, `)${labels.map((label) => `,${JSON.stringify(label)}`).join('')})`)
  }
  visit(root, (node) => {
    switch (node.type) {
      case 'CatchClause':
        rewriteCatch(node as unknown as CatchClause, { before, after, insert })
        break
      case 'ObjectPattern':
        // A default is rewritten on its own and where its member is read: nothing is read twice.
        for (const property of (node as unknown as ObjectPattern).properties) {
          if (property.type !== 'Property' || property.value.type !== 'ObjectPattern') continue
          const [first] = property.value.properties
          if (first?.type !== 'Property') continue
          after(property.value as unknown as Shape, ` = __missing(${JSON.stringify(keyOfMember(first))})`)
        }
        break
      case 'ObjectExpression':
        for (const property of node.properties as Shape[])
          if (property.type === 'SpreadElement' && mayBeText(property.argument as Shape))
            wrap(property.argument as Shape, '__spread')
        break
      case 'ExpressionStatement': {
        const expression = node.expression as Shape
        if (expression.type !== 'CallExpression' || (expression.callee as Shape).type === 'Super') break
        before(expression, '__floating(')
        after(expression, ')')
        break
      }
      case 'VariableDeclarator': {
        const { id, init } = node as unknown as VariableDeclarator
        if (init === null || init === undefined) break
        const from = init as unknown as Shape
        if (id.type === 'ArrayPattern') wrap(from, '__listed', listLabel(from))
        else if (id.type === 'ObjectPattern' && id.properties[0]?.type === 'Property')
          wrap(from, '__held', keyOfMember(id.properties[0]), shown(from))
        break
      }
    }
  })
  return insertions.sort((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens))
}

interface Edits {
  before: (node: Shape, text: string) => void
  after: (node: Shape, text: string) => void
  insert: (at: number, place: Place, text: string, opens: boolean) => void
}

/** `catch ({ message }) {…}` becomes `catch (__thrown) { let { message } = …; {…} }`. */
const rewriteCatch = ({ param, body }: CatchClause, { before, after, insert }: Edits): void => {
  if (param === null || param === undefined) return
  const block = body as unknown as Shape
  if (param.type === 'Identifier') {
    const { line, column } = block.loc!.start
    insert(block.start + 1, { line, column: column + 1 }, `__caught(${param.name});`, true)
    return
  }
  const pattern = param as unknown as Shape
  const caught = '__caught(__thrown)'
  const key = pattern.type === 'ObjectPattern' ? firstKeyOf(pattern) : undefined
  const value =
    pattern.type === 'ArrayPattern'
      ? `__listed(${caught},".catch"`
      : key === undefined
        ? '__caught(__thrown'
        : `__held(${caught},${JSON.stringify(key)},".catch"`
  before(pattern, '__thrown) { let ')
  after(pattern, ` = ${value}`)
  before(block, '; ')
  after(block, ' }')
}

/** Whether the spread value may be a text, which the engine does not spread. */
const mayBeText = ({ type }: Shape): boolean => type !== 'ObjectExpression' && type !== 'ArrayExpression'

const keyOfMember = (property: AssignmentProperty): string => keyOf(property as unknown as Shape)

/** V8's name for a value that is destructured as a list; null when it describes the value instead. */
const listLabel = (node: Shape): string | null => {
  switch (node.type) {
    case 'Identifier':
    case 'Literal':
    case 'AwaitExpression':
      return shown(node)
    case 'ObjectExpression':
      return (node.properties as Shape[]).length === 0 ? '{}' : null
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
