// Rules about names: variables of the card, names that nothing declares, parts of Node.js that card code lacks.

import { lackingGlobals, lackingMembers } from '../lacking.js'
import { globals } from './globals.js'
import { isHook, type Program, type Report } from './program.js'
import { isWritten } from './scope.js'
import { child, functionAround, memberName, type Shape } from './tree.js'
import type { Value } from './values.js'

export const nameRules = (program: Program, report: Report): void => {
  unknown(program, report)
  lacks(program, report)
  variables(program, report)
}

const advice: Readonly<Record<string, string>> = {
  require:
    'require does not exist in main.js: fetch, moment and the globals of the card are there without it.',
  module: 'module does not exist in main.js: declare the hooks at the top level.',
  exports: 'exports does not exist in main.js: declare the hooks at the top level.',
  axios: 'axios does not exist in main.js: use fetch.',
}

const unknown = ({ names, tree, definitions }: Program, report: Report): void => {
  const assigned = new Set(definitions.map(({ name }) => name))
  const tested = new Set<string>()
  const reads: Shape[] = []
  for (const node of names.unbound) {
    const name = node.name as string
    const parent = tree.parents.get(node)!
    if (parent.type === 'UnaryExpression' && parent.operator === 'typeof') tested.add(name)
    else if (isWritten(tree, node)) {
      if (isHook(name) || globals.has(name)) continue
      report('undeclared-assignment', node, `${name} is declared nowhere: write let ${name}.`)
      assigned.add(name)
    } else reads.push(node)
  }
  const told = new Set<string>()
  for (const node of reads) {
    const name = node.name as string
    if (globals.has(name) || assigned.has(name) || tested.has(name) || told.has(name)) continue
    if (name === 'arguments' && functionAround(tree, node)) continue
    told.add(name)
    report(
      'unknown-global',
      node,
      advice[name] ?? missingGlobal(name),
      isTried(tree.parents, node) ? 'warning' : 'error',
    )
  }
}

const missingGlobal = (name: string): string => {
  const instead = lackingGlobals.get(name)
  return instead === undefined
    ? `${name} is declared nowhere, and the card has no such global.`
    : `The card has no ${name}, though Node.js does: ${instead}.`
}

/** Whether an error of this place is caught here. */
const isTried = (parents: ReadonlyMap<Shape, Shape>, node: Shape): boolean => {
  let at = node
  for (let parent = parents.get(at); parent !== undefined; at = parent, parent = parents.get(at))
    if (parent.type === 'TryStatement' && parent.block === at && child(parent, 'handler')) return true
  return false
}

const lacks = ({ tree, names }: Program, report: Report): void => {
  for (const node of tree.nodes) {
    const name = memberName(node)
    const target = node.type === 'MemberExpression' ? (node.object as Shape) : undefined
    if (name === undefined || target?.type !== 'Identifier' || names.of(target)) continue
    const path = `${target.name as string}.${name}`
    const instead = lackingMembers.get(path)
    if (instead !== undefined)
      report('engine-lacks', node, `The card has no ${path}, though Node.js does: ${instead}.`)
  }
}

const variables = ({ tree, values, options }: Program, report: Report): void => {
  const given = options.variables
  const told = new Set<string>()
  for (const node of tree.nodes) {
    const value = variableIn(values.of(node))
    const parent = tree.parents.get(node)
    if (node.type === 'MemberExpression' && value && given && !Object.hasOwn(given, value.name)) {
      const isMeantToBe = parent?.type === 'LogicalExpression' && parent.left === node
      const isSet = parent?.type === 'AssignmentExpression' && parent.left === node
      if (!told.has(value.name) && !isMeantToBe && !isSet) {
        told.add(value.name)
        report(
          'missing-variable',
          node,
          `The variable ${value.name} is not set: it is undefined. Add it to env.json.`,
        )
      }
    }
    if (node.type === 'BinaryExpression') used(node, values.of.bind(values), report)
    else if (/^(If|While)Statement$|^ConditionalExpression$/.test(node.type)) {
      const test = child(node, 'test')!
      const flag = variableIn(values.of(test)) ?? negated(test, values.of.bind(values))
      if (
        flag &&
        /^(is|has|allow|enable|disable|block|use|no|override)|enabled|allowed|flag/i.test(flag.name)
      )
        report(
          'variable-as-boolean',
          test,
          `${flag.name} is a text, and 'false' counts as true: write process.env.${flag.name} === 'true'.`,
        )
    }
  }
}

type Variable = Extract<Value, { type: 'variable' }>

const variableIn = (value: Value | undefined): Variable | undefined =>
  value?.type === 'variable' ? value : undefined

const negated = (node: Shape, valueOf: (node: Shape) => Value | undefined): Variable | undefined =>
  node.type === 'UnaryExpression' && node.operator === '!'
    ? variableIn(valueOf(node.argument as Shape))
    : undefined

/** A variable beside an operator: text is neither a number nor true. */
const used = (node: Shape, valueOf: (node: Shape) => Value | undefined, report: Report): void => {
  const operator = node.operator as string
  for (const [side, other] of [
    [node.left as Shape, node.right as Shape],
    [node.right as Shape, node.left as Shape],
  ] as const) {
    const variable = variableIn(valueOf(side))
    const beside = valueOf(other)?.type
    if (!variable || beside === undefined) continue
    const name = `process.env.${variable.name}`
    if (/^[=!]==?$/.test(operator) && beside === 'boolean')
      report('variable-as-boolean', side, `${name} is a text, never true or false: write ${name} === 'true'.`)
    else if (beside === 'number' && /^([<>]=?|[+]|[=!]==)$/.test(operator))
      report('variable-as-number', side, `${name} is a text: write Number(${name}).`)
  }
}
