// The input of all rules: the tree, its names and values, the hooks, and the functions that beforeTransaction reaches.

import { namesOf, type Binding, type Names } from './scope.js'
import type { RuleId, Severity } from './rules.js'
import { child, children, isFunction, memberName, ownNodes, type Shape, treeOf, type Tree } from './tree.js'
import { Values } from './values.js'

export const hookNames = [
  'beforeTransaction',
  'afterTransaction',
  'afterDecline',
  'afterReversal',
  'afterAdjustment',
] as const
export type HookName = (typeof hookNames)[number]

/** One place where a name of the global scope is given a value. */
interface Definition {
  readonly name: string
  readonly node: Shape
  /** The value; undefined for a declaration without one. */
  readonly value: Shape | undefined
}

/** Optional input of the lint. */
export interface LintOptions {
  /** The variables of the card: reading others is reported. When omitted, none is. */
  readonly variables?: Readonly<Record<string, string>> | undefined
}

export interface Program {
  readonly tree: Tree
  readonly names: Names
  readonly values: Values
  readonly options: LintOptions
  /** What defines names of the global scope, in source order. */
  readonly definitions: readonly Definition[]
  /** The function of each hook, where the source shows it. */
  readonly hooks: ReadonlyMap<string, Shape>
  /** The functions that run before the decision, `beforeTransaction` first. */
  readonly deciding: readonly Shape[]
}

/** Reports a finding; the severity is the rule's own, unless a case is milder. */
export type Report = (rule: RuleId, node: Shape, message: string, severity?: Severity) => void

export const isHook = (name: string): name is HookName => (hookNames as readonly string[]).includes(name)

export const programOf = (source: string, root: Shape, options: LintOptions): Program => {
  const tree = treeOf(source, root)
  const names = namesOf(tree)
  const definitions = definitionsOf(tree, names)
  const hooks = new Map<string, Shape>()
  for (const { name, value } of definitions) if (isHook(name) && isFunction(value)) hooks.set(name, value)
  // `const beforeTransaction = decide` runs decide: it is the hook.
  const draft = new Values(tree, names, new Set())
  for (const { name, value } of definitions) {
    const fn = isHook(name) && value ? draft.functionOf(value) : undefined
    if (fn && !hooks.has(name)) hooks.set(name, fn)
  }
  const values = new Values(tree, names, new Set(hooks.values()))
  const before = hooks.get('beforeTransaction')
  return { tree, names, values, options, definitions, hooks, deciding: reachable(before, values) }
}

const definitionsOf = (tree: Tree, names: Names): Definition[] => {
  const found: Definition[] = []
  const declared = new Set<Shape>()
  for (const binding of names.bindings) {
    if (!binding.isTopLevel || binding.kind === 'param' || binding.kind === 'catch') continue
    declared.add(binding.node)
    const definition = declaredBy(binding)
    if (definition) found.push(definition)
  }
  for (const node of tree.nodes) {
    // A second declaration of the same name is a definition too.
    if (node.type === 'FunctionDeclaration' && tree.parents.get(node) === tree.root) {
      const id = node.id as Shape
      if (!declared.has(id)) found.push({ name: id.name as string, node: id, value: node })
    }
    const assigned = assignedBy(node, names)
    if (assigned) found.push(assigned)
  }
  return found.sort((a, b) => a.node.start - b.node.start)
}

const declaredBy = ({ holder, node, name }: Binding): Definition | undefined => {
  if (holder.type !== 'VariableDeclarator') return { name, node, value: holder }
  if (holder.id !== node) return { name, node, value: undefined }
  const value = child(holder, 'init')
  return value && { name, node, value }
}

/** `name = …`, `globalThis.name = …` or `global.name = …`. */
const assignedBy = (node: Shape, names: Names): Definition | undefined => {
  if (node.type !== 'AssignmentExpression' || node.operator !== '=') return undefined
  const left = node.left as Shape
  const value = node.right as Shape
  if (left.type === 'Identifier') {
    const binding = names.of(left)
    return !binding || binding.isTopLevel ? { name: left.name as string, node: left, value } : undefined
  }
  const target = left.type === 'MemberExpression' ? (left.object as Shape) : undefined
  const isGlobal = target?.type === 'Identifier' && /^(globalThis|global)$/.test(target.name as string)
  const name = memberName(left)
  return isGlobal && name !== undefined ? { name, node: left, value } : undefined
}

/** The functions that a function runs or makes: itself, those inside it, and those that these call by name. */
const reachable = (start: Shape | undefined, values: Values): Shape[] => {
  const found = new Set<Shape>()
  const open = start ? [start] : []
  for (let fn = open.pop(); fn !== undefined; fn = open.pop()) {
    if (found.has(fn)) continue
    found.add(fn)
    for (const node of ownNodes(fn)) {
      if (isFunction(node)) open.push(node)
      else if (node.type === 'Identifier') {
        const named = values.functionOf(node)
        if (named) open.push(named)
      }
    }
  }
  return [...found]
}

/** A comparison of something with a literal: `a === 5`, `[5, 6].includes(a)`, `switch (a) { case 5: }`. */
export interface Comparison {
  readonly subject: Shape
  readonly literal: Shape
  /** True when the types must be equal too. */
  readonly strict: boolean
  /** Whether it asks for equality, not for order. */
  readonly equality: boolean
}

export function* comparisonsOf({ tree, names }: Program): Generator<Comparison> {
  for (const node of tree.nodes) {
    if (node.type === 'BinaryExpression') {
      const operator = node.operator as string
      if (!/^(===?|!==?|[<>]=?)$/.test(operator)) continue
      const [left, right] = [node.left as Shape, node.right as Shape]
      const about = {
        strict: operator.length === 3,
        equality: /^[=!]/.test(operator),
      }
      if (isLiteral(right)) yield { subject: left, literal: right, ...about }
      else if (isLiteral(left)) yield { subject: right, literal: left, ...about }
    } else if (node.type === 'SwitchStatement') {
      for (const each of children(node, 'cases')) {
        const test = child(each, 'test')
        if (test && isLiteral(test))
          yield { subject: node.discriminant as Shape, literal: test, strict: true, equality: true }
      }
    } else if (node.type === 'CallExpression') {
      const callee = node.callee as Shape
      const method = memberName(callee)
      const [subject] = children(node, 'arguments')
      if (!subject || !/^(includes|has|indexOf)$/.test(method ?? '')) continue
      for (const literal of elementsOf(callee.object as Shape, names))
        if (isLiteral(literal)) yield { subject, literal, strict: true, equality: true }
    }
  }
}

const isLiteral = (node: Shape): boolean =>
  node.type === 'Literal' || node.type === 'TemplateLiteral' || node.type === 'UnaryExpression'

/** A list that is searched often must not cost its length each time. */
const maxElements = 500

/** The elements of a list that is written out, also of a constant one or of a set. */
const elementsOf = (node: Shape, names: Names): Shape[] => {
  if (node.type === 'ArrayExpression') return children(node, 'elements').slice(0, maxElements)
  if (node.type === 'NewExpression' && (node.callee as Shape).name === 'Set') {
    const [list] = children(node, 'arguments')
    return list?.type === 'ArrayExpression' ? elementsOf(list, names) : []
  }
  const binding = node.type === 'Identifier' ? names.of(node) : undefined
  if (!binding || binding.writes > 0 || binding.holder.type !== 'VariableDeclarator') return []
  const init = child(binding.holder, 'init')
  if (!init || init.type === 'Identifier' || binding.holder.id !== binding.node) return []
  return elementsOf(init, names)
}

/** Whether a node is inside another one. */
export const isInside = ({ parents }: Tree, node: Shape, around: Shape): boolean => {
  let at: Shape | undefined = node
  while (at !== undefined && at !== around) at = parents.get(at)
  return at === around
}

/** The source of a node, short enough for a message. */
export const excerptOf = ({ source }: Tree, { start, end }: Shape): string => {
  const text = source.slice(start, Math.min(end, start + 300)).replace(/\s+/g, ' ')
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
