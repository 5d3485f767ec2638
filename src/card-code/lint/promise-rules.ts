// Rules about promises: properties read from one, promises that nobody awaits, promises without a deadline.

import { excerptOf, type Program, type Report } from './program.js'
import {
  child,
  children,
  functionAround,
  isFunction,
  memberName,
  ownNodes,
  type Shape,
  unchained,
} from './tree.js'

export const promiseRules = (program: Program, report: Report): void => {
  precedence(program, report)
  floating(program, report)
  deadlines(program, report)
}

const ofPromises = new Set(['then', 'catch', 'finally', 'constructor'])

const precedence = ({ tree, values }: Program, report: Report): void => {
  for (const node of tree.nodes) {
    const name = memberName(node)
    if (name === undefined || ofPromises.has(name)) continue
    const target = unchained(node.object as Shape)
    const shown = excerptOf(tree, target)
    if (values.of(target)?.type === 'promise' || isBodyOfUnknown(tree.parents.get(node), target))
      report(
        'await-precedence',
        node,
        `${shown} is a promise and has no ${name}: write (await ${shown}).${name}.`,
      )
  }
}

/** `await x.json().ok`, where the type of x is unknown: since it is awaited, it is taken to be a response. */
const isBodyOfUnknown = (parent: Shape | undefined, call: Shape): boolean =>
  parent?.type === 'AwaitExpression' &&
  call.type === 'CallExpression' &&
  children(call, 'arguments').length === 0 &&
  memberName(unchained(call.callee as Shape)) === 'json' &&
  (unchained(call.callee as Shape).object as Shape).type === 'Identifier'

const floating = ({ tree, values }: Program, report: Report): void => {
  for (const node of tree.nodes) {
    if (node.type === 'ExpressionStatement') {
      const expression = unchained(node.expression as Shape)
      if (expression.type !== 'CallExpression' || values.of(expression)?.type !== 'promise') continue
      if (handlesItsEnd(expression)) continue
      const shown = excerptOf(tree, expression)
      const advice =
        functionAround(tree, node)?.async === true ? 'write await before it' : 'return it or await it'
      report('floating-promise', expression, `Nobody waits for ${shown}: ${advice}, or it may never finish.`)
    } else if (node.type === 'CallExpression' && memberName(unchained(node.callee as Shape)) === 'forEach') {
      const [callback] = children(node, 'arguments')
      if (isFunction(callback) && callback.async === true)
        report(
          'floating-promise',
          callback,
          'forEach does not wait for an async function: write for (const item of list).',
        )
    }
  }
}

/** `….catch(…)`: the author lets the promise go on purpose. */
const handlesItsEnd = (call: Shape): boolean => {
  const callee = unchained(call.callee as Shape)
  const name = memberName(callee)
  return name === 'catch' || (name === 'finally' && handlesItsEnd(unchained(callee.object as Shape)))
}

const deadlines = ({ deciding, names, tree }: Program, report: Report): void => {
  for (const fn of deciding)
    for (const node of ownNodes(fn)) {
      const callee = node.type === 'CallExpression' ? (node.callee as Shape) : undefined
      if (callee?.type !== 'Identifier' || callee.name !== 'fetch' || names.of(callee)) continue
      const [, options] = children(node, 'arguments')
      if (hasDeadline(options) || isRaced(tree.parents, node)) continue
      report(
        'fetch-without-deadline',
        node,
        'This fetch has no deadline: give it { signal: AbortSignal.timeout(1500) } and decline when it fails.',
      )
    }
}

/** Whether options may contain a signal: those that are not literals here may. */
const hasDeadline = (options: Shape | undefined): boolean => {
  if (!options) return false
  if (options.type !== 'ObjectExpression') return true
  return children(options, 'properties').some((property) => {
    if (property.type === 'SpreadElement') return true
    const key = property.key as Shape
    return property.computed === true || /^(signal|timeout)$/.test(String(key.name ?? key.value))
  })
}

/** Whether a call is one of several of which the first to settle counts. */
const isRaced = (parents: ReadonlyMap<Shape, Shape>, node: Shape): boolean => {
  for (let at = parents.get(node); at !== undefined && !isFunction(at); at = parents.get(at))
    if (at.type === 'CallExpression' && /^(race|any)$/.test(memberName(child(at, 'callee')!) ?? ''))
      return true
  return false
}
