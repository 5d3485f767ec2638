// Rules about the decision: what beforeTransaction returns, what its conditions are, what it depends on.

import { comparisonsOf, excerptOf, isInside, type Program, type Report } from './program.js'
import {
  child,
  children,
  isFunction,
  literalText,
  memberName,
  ownNodes,
  type Shape,
  unchained,
} from './tree.js'
import type { Value } from './values.js'

export const decisionRules = (program: Program, report: Report): void => {
  const before = program.hooks.get('beforeTransaction')
  if (before) returns(program, before, report)
  conditions(program, report)
  loops(program, report)
  chance(program, report)
  simulationOnly(program, report)
}

const shownKinds: Partial<Record<Value['type'], string>> = {
  text: 'a text',
  number: 'a number',
  nothing: 'nothing',
  thing: 'an object',
  object: 'an object',
  function: 'a function',
  response: 'a response',
  environment: 'an object',
  variable: 'a text',
}

const advice = 'return true or false, or every such purchase is approved.'

const returns = ({ values, tree }: Program, fn: Shape, report: Report): void => {
  const body = fn.body as Shape
  // A generator returns an iterator, whatever it says.
  if (fn.generator === true) {
    report('non-boolean-return', fn, `beforeTransaction must not be a generator: ${advice}`)
    return
  }
  const check = (expression: Shape): void => {
    for (const each of outcomesOf(expression)) {
      const value = values.of(each)
      const settled = value?.type === 'promise' ? value.of : value
      const kind = settled && shownKinds[settled.type]
      if (kind !== undefined)
        report(
          'non-boolean-return',
          each,
          `beforeTransaction returns ${kind}, ${excerptOf(tree, each)}: ${advice}`,
        )
    }
  }
  if (body.type !== 'BlockStatement') {
    check(body)
    return
  }
  const statements = ownNodes(fn).filter(({ type }) => type === 'ReturnStatement')
  const withValue = statements.filter((each) => child(each, 'argument'))
  const ends = alwaysEnds(body)
  if (withValue.length === 0 && !ends && statements.length === 0) {
    report('non-boolean-return', fn, `beforeTransaction returns nothing: ${advice}`)
    return
  }
  for (const each of statements) {
    const argument = child(each, 'argument')
    if (argument) check(argument)
    else report('non-boolean-return', each, `beforeTransaction returns nothing: ${advice}`)
  }
  if (!ends) report('missing-decision', fn, `beforeTransaction can end without return: ${advice}`)
}

/** The expressions that may be the value: both arms of a conditional. */
const outcomesOf = (expression: Shape): Shape[] => {
  const found: Shape[] = []
  const open = [expression]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.type === 'ConditionalExpression') open.push(next.alternate as Shape, next.consequent as Shape)
    else if (next.type === 'SequenceExpression') open.push(children(next, 'expressions').at(-1)!)
    else found.push(next)
  }
  return found
}

/** Whether no path continues after a statement. */
const alwaysEnds = (node: Shape | undefined): boolean => {
  switch (node?.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
      return true
    case 'BlockStatement':
      return children(node, 'body').some(alwaysEnds)
    case 'IfStatement':
      return alwaysEnds(node.consequent as Shape) && alwaysEnds(child(node, 'alternate'))
    case 'LabeledStatement':
      return alwaysEnds(node.body as Shape)
    case 'TryStatement': {
      const handler = child(node, 'handler')
      const inner = alwaysEnds(node.block as Shape) && (!handler || alwaysEnds(handler.body as Shape))
      return inner || alwaysEnds(child(node, 'finalizer'))
    }
    case 'SwitchStatement': {
      const cases = children(node, 'cases')
      const breaks = ownNodes(node).some(({ type }) => type === 'BreakStatement')
      return (
        !breaks &&
        cases.some((each) => !child(each, 'test')) &&
        children(cases.at(-1)!, 'consequent').some(alwaysEnds)
      )
    }
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
      return isEndless(node) && !ownNodes(node).some(({ type }) => type === 'BreakStatement')
    default:
      return false
  }
}

const isEndless = (loop: Shape): boolean => {
  const test = child(loop, 'test')
  if (!test) return loop.type === 'ForStatement'
  return test.type === 'Literal' && Boolean(test.value)
}

const loops = ({ tree }: Program, report: Report): void => {
  for (const node of tree.nodes) {
    if (!/^(While|DoWhile|For)Statement$/.test(node.type) || !isEndless(node)) continue
    const ways = ownNodes(node).some(({ type }) =>
      /^(BreakStatement|ReturnStatement|ThrowStatement|AwaitExpression|YieldExpression)$/.test(type),
    )
    if (!ways) report('endless-loop', node, 'This loop never ends: the hook runs into its time limit.')
  }
}

/** The expressions that are used as a condition. */
function* conditionsOf({ tree }: Program): Generator<Shape> {
  for (const node of tree.nodes) {
    if (/^(If|While|DoWhile|For)Statement$|^ConditionalExpression$/.test(node.type)) {
      const test = child(node, 'test')
      if (test) yield test
    } else if (node.type === 'UnaryExpression' && node.operator === '!') yield node.argument as Shape
    else if (node.type === 'LogicalExpression' && node.operator !== '??') yield node.left as Shape
  }
}

const conditions = (program: Program, report: Report): void => {
  const { values, tree } = program
  const waits = (node: Shape): void => {
    if (values.of(node)?.type !== 'promise') return
    const shown = excerptOf(tree, node)
    report('promise-as-condition', node, `${shown} is a promise, which is always true: write await ${shown}.`)
  }
  for (const node of conditionsOf(program)) {
    waits(node)
    if (node.type === 'AssignmentExpression' && node.operator === '=')
      report('assignment-in-condition', node, 'This assigns: to compare, write ===.')
  }
  for (const node of tree.nodes)
    if (node.type === 'BinaryExpression' && /^[=!<>]/.test(node.operator as string)) {
      waits(node.left as Shape)
      waits(node.right as Shape)
    }
}

const chance = ({ deciding, names }: Program, report: Report): void => {
  for (const fn of deciding)
    for (const node of ownNodes(fn)) {
      if (node.type !== 'CallExpression') continue
      const callee = unchained(node.callee as Shape)
      const target = callee.type === 'MemberExpression' ? (callee.object as Shape) : undefined
      if (target?.type !== 'Identifier' || names.of(target)) continue
      const name = `${target.name as string}.${memberName(callee) ?? ''}`
      if (/^(Math\.random|crypto\.(getRandomValues|randomBytes|randomInt))$/.test(name))
        report(
          'chance',
          node,
          `${name} influences the decision: the same purchase may be decided differently.`,
        )
    }
}

const simulationOnly = (program: Program, report: Report): void => {
  const { tree, values } = program
  for (const { subject, literal, equality } of comparisonsOf(program)) {
    const value = values.of(subject)
    if (
      equality &&
      value?.type === 'text' &&
      value.field === 'reference' &&
      literalText(literal) === 'simulation'
    )
      report(
        'simulation-only',
        subject,
        'Only simulations have the reference simulation: real purchases take the other branch.',
      )
  }
  for (const node of conditionsOf(program)) {
    const value = values.of(node)
    if (
      value?.type === 'text' &&
      value.field === 'card.display' &&
      !isFunction(node) &&
      isInside(tree, node, tree.root)
    )
      report(
        'simulation-only',
        node,
        'Simulations have no card.display: real purchases take the other branch.',
      )
  }
}
