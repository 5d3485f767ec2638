// Rules about the hooks themselves: whether there are any, their names, their types.

import { hookNames, isHook, type Program, type Report } from './program.js'
import { isFunction, type Shape } from './tree.js'

export const hookRules = (program: Program, report: Report): void => {
  const { definitions, tree } = program
  const defined = new Set(definitions.map(({ name }) => name).filter(isHook))
  const misspelt = misspeltHooks(program, defined)
  for (const { name, hook, node } of misspelt)
    report('misspelt-hook', node, `${name} is never called: the hook is called ${hook}.`)
  const nested = nestedHooks(program, defined)
  for (const node of nested)
    report('nested-hook', node, `${node.name as string} is never called here: declare it at the top level.`)
  const meant = new Set([...misspelt.map(({ hook }) => hook), ...nested.map(({ name }) => name as string)])
  if (defined.size === 0 && meant.size === 0)
    report(
      'no-hook',
      tree.root,
      `main.js has no hook: declare beforeTransaction, or one of ${hookNames.slice(1).join(', ')}.`,
    )
  else if (!defined.has('beforeTransaction') && !meant.has('beforeTransaction') && defined.size > 0)
    report('no-before-hook', tree.root, 'There is no beforeTransaction: every purchase is approved.')
  kinds(program, report)
}

const misspeltHooks = ({ definitions, values }: Program, defined: ReadonlySet<string>) => {
  const found: { name: string; hook: string; node: Shape }[] = []
  const seen = new Set<string>()
  for (const { name, node, value } of definitions) {
    if (isHook(name) || seen.has(name) || !value || !values.functionOf(value)) continue
    const plain = name.toLowerCase().replace(/[^a-z]/g, '')
    if (Math.abs(plain.length - 15) > 4) continue
    const hook = hookNames.find((each) => !defined.has(each) && isNear(plain, each.toLowerCase()))
    if (!hook) continue
    seen.add(name)
    found.push({ name, hook, node })
  }
  return found
}

/** Whether one text becomes the other with at most two insertions, deletions or replacements. Both are short. */
const isNear = (one: string, other: string): boolean => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1
      next.push(Math.min(row[j - 1]! + cost, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row.at(-1)! <= 2
}

/** Hooks that are declared where the card does not find them, and that nothing else uses. */
const nestedHooks = ({ names }: Program, defined: ReadonlySet<string>): Shape[] =>
  names.bindings
    .filter(({ name, isTopLevel, holder, references }) => {
      const value = holder.type === 'VariableDeclarator' ? (holder.init as Shape | undefined) : holder
      return isHook(name) && !isTopLevel && !defined.has(name) && references.length === 0 && isFunction(value)
    })
    .map(({ node }) => node)

/** Values that certainly cannot be called as a hook. */
const notCallable = new Set([
  'Literal',
  'TemplateLiteral',
  'ObjectExpression',
  'ArrayExpression',
  'ClassDeclaration',
  'ClassExpression',
])

const kinds = ({ definitions, tree }: Program, report: Report): void => {
  const before = new Map<string, Shape>()
  for (const { name, node, value } of definitions) {
    if (!isHook(name)) continue
    if (value && notCallable.has(value.type))
      report('hook-not-function', node, `${name} must be a function: async (authorization) => true.`)
    // An assignment in a branch may be intended; two at the top level are a forgotten copy.
    if (!isTopLevel(tree.parents, node)) continue
    const first = before.get(name)
    if (first)
      report(
        'duplicate-hook',
        first,
        `${name} is defined again in line ${node.loc!.start.line}: only that one runs.`,
      )
    before.set(name, node)
  }
}

const isTopLevel = (parents: ReadonlyMap<Shape, Shape>, node: Shape): boolean => {
  for (let at = parents.get(node); at !== undefined; at = parents.get(at))
    if (isFunction(at) ? at.id !== node : /^(If|Try|Block|Switch|For|While)/.test(at.type)) return false
  return true
}
