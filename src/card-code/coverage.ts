// Counts which lines and branches of main.js run. It inserts marks into the source without changing its lines; the
// counts come out as specially marked log lines, even from a hook that times out.

import { isFunction, parseScript, type Shape, treeOf, type Tree, child, children } from './lint/tree.js'

/** A counted place: the start of a statement, or of one arm of a branch. */
export interface CoveragePoint {
  readonly kind: 'line' | 'branch'
  readonly line: number
  readonly column: number
}

export interface Instrumented {
  /** The source with its marks; undefined when it does not parse. */
  readonly source: string
  readonly points: readonly CoveragePoint[]
}

/** The prefix of log lines that hold counts. Logs of card code never begin with it by chance. */
const coverageMark = '\u0000card-coverage '

const names = { hit: '__card_hit', flush: '__card_flush' } as const

/** Inserts marks into a source. A source that does not parse is returned unchanged, without points. */
export function instrument(source: string): Instrumented {
  let tree: Tree
  try {
    tree = treeOf(source, parseScript(source))
  } catch {
    return { source, points: [] }
  }
  const points: CoveragePoint[] = []
  const insertions: { readonly at: number; readonly order: number; readonly text: string }[] = []
  const point = (kind: CoveragePoint['kind'], node: Shape): number =>
    points.push({ kind, line: node.loc!.start.line, column: node.loc!.start.column + 1 }) - 1
  const insert = (at: number, text: string, order = 0): void => void insertions.push({ at, order, text })
  /** Marks a statement, and puts it into a block when it needs one. */
  const statement = (node: Shape, kind: CoveragePoint['kind'], isAlone: boolean): void => {
    const mark = `${names.hit}(${point(kind, node)});`
    if (!isAlone) insert(node.start, mark)
    else if (node.type === 'BlockStatement') insert(node.start + 1, mark, -1)
    else {
      insert(node.start, `{${mark}`, -1)
      insert(node.end, '}', 1)
    }
  }
  const expression = (node: Shape): void => {
    insert(node.start, `(${names.hit}(${point('branch', node)}),`)
    insert(node.end, ')')
  }
  for (const node of tree.nodes) {
    const parent = tree.parents.get(node)
    if (isListed(node, parent) && isCounted(node)) statement(node, 'line', false)
    if (node.type === 'IfStatement') {
      statement(node.consequent as Shape, 'branch', true)
      const alternate = child(node, 'alternate')
      if (alternate) statement(alternate, 'branch', true)
      else insert(node.end, ` else {${names.hit}(${point('branch', node)});}`, 1)
    } else if (node.type === 'ConditionalExpression') {
      expression(node.consequent as Shape)
      expression(node.alternate as Shape)
    } else if (node.type === 'LogicalExpression') expression(node.right as Shape)
    else if (node.type === 'SwitchCase') {
      const [first] = children(node, 'consequent')
      if (first) insert(first.start, `${names.hit}(${point('branch', node)});`, -1)
    } else if (isFunction(node) && node.body.type !== 'BlockStatement') {
      insert(node.body.start, `(${names.hit}(${point('line', node.body)}),`, -1)
      insert(node.body.end, ')', 1)
    }
  }
  insertions.sort((a, b) => a.at - b.at || a.order - b.order)
  let code = ''
  let from = 0
  for (const { at, text } of insertions) {
    code += source.slice(from, at) + text
    from = at
  }
  return { source: `${prologueOf(points.length)}${code}${source.slice(from)}\n;${names.flush}();`, points }
}

/**
 * A hook may write a thousand log lines. A small program reports each count at once, so that an endless loop loses
 * none.
 */
const maxToldAtOnce = 300

/** Other counts are reported at the end of each turn, before the hook's promise is checked. */
const prologueOf = (points: number): string => {
  const told = points <= maxToldAtOnce ? `${names.flush}()` : `Promise.resolve().then(${names.flush})`
  return `var ${names.hit},${names.flush};{const s=new Set(),w=[],l=console.debug.bind(console);${names.flush}=()=>{if(w.length)l(${JSON.stringify(coverageMark)}+w.splice(0).join(','))};${names.hit}=(n)=>{if(!s.has(n)){s.add(n);if(w.push(n)===1)${told}}}};`
}

const isListed = (node: Shape, parent: Shape | undefined): boolean =>
  parent !== undefined &&
  (parent.type === 'Program' || parent.type === 'BlockStatement' || parent.type === 'StaticBlock'
    ? node !== parent
    : parent.type === 'SwitchCase' && parent.test !== node)

/** Function declarations are hoisted, and directives must stay first. */
const isCounted = (node: Shape): boolean =>
  /(Statement|Declaration)$/.test(node.type) &&
  !/^(FunctionDeclaration|ClassDeclaration|EmptyStatement|BlockStatement)$/.test(node.type) &&
  node.directive === undefined

/** The points in a log line; undefined for a line of card code itself. */
export function coverageHits(content: string): number[] | undefined {
  if (!content.startsWith(coverageMark)) return undefined
  return content.slice(coverageMark.length).split(',').map(Number)
}
