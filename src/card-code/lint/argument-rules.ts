// Rules about the hook's argument: its properties, and the format of their values.

import { comparisonsOf, excerptOf, type Program, type Report } from './program.js'
import { child, children, literalText, memberName, type Shape } from './tree.js'
import { hookArgument, type KnownObject, type Value } from './values.js'

export const argumentRules = (program: Program, report: Report): void => {
  properties(program, report)
  comparisons(program, report)
  texts(program, report)
}

const properties = ({ tree, values }: Program, report: Report): void => {
  for (const node of tree.nodes) {
    if (node.type === 'MemberExpression') {
      const name = memberName(node)
      const value = name === undefined ? undefined : values.of(node.object as Shape)
      if (name === undefined || value === undefined || !lacks(value, name)) continue
      if (isGuarded(tree.parents, node)) continue
      report('unknown-property', node.property as Shape, missing(value, name))
    } else if (node.type === 'VariableDeclarator' && (node.id as Shape).type === 'ObjectPattern') {
      const init = child(node, 'init')
      if (init) pattern(node.id as Shape, values.of(init), report)
    }
  }
  for (const fn of values.hookFunctions) {
    const [first] = children(fn, 'params')
    const taken = first?.type === 'AssignmentPattern' ? (first.left as Shape) : first
    if (taken?.type === 'ObjectPattern') pattern(taken, hookArgument, report)
  }
}

const pattern = (node: Shape, value: Value | undefined, report: Report): void => {
  if (value?.type !== 'object') return
  for (const property of children(node, 'properties')) {
    if (property.type !== 'Property' || property.computed === true) continue
    const key = property.key as Shape
    const name = key.type === 'Identifier' ? (key.name as string) : String(key.value)
    const target = property.value as Shape
    // A default means that the property may be missing.
    if (target.type === 'AssignmentPattern') continue
    if (lacks(value, name)) report('unknown-property', key, missing(value, name))
    else pattern(target, value.fields[name], report)
  }
}

const lacks = (value: Value, name: string): boolean => {
  switch (value.type) {
    case 'object':
      return !Object.hasOwn(value.fields, name) && !(name in Object.prototype)
    case 'text':
      return value.field !== undefined && !(name in String.prototype)
    case 'number':
      return value.field !== undefined && !(name in Number.prototype)
    default:
      return false
  }
}

/** Whether the code expects that the property may be missing, or sets it itself. */
const isGuarded = (parents: ReadonlyMap<Shape, Shape>, node: Shape): boolean => {
  const parent = parents.get(node)
  if (!parent) return false
  if (parent.type === 'ChainExpression' || (parent.type === 'MemberExpression' && parent.optional === true))
    return true
  if (parent.type === 'LogicalExpression') return parent.operator !== '&&' && parent.left === node
  if (parent.type === 'UnaryExpression') return parent.operator === 'typeof' || parent.operator === 'delete'
  return parent.type === 'AssignmentExpression' && parent.left === node
}

const missing = (value: Value, name: string): string => {
  const path = value.type === 'object' ? value.path : 'field' in value ? (value.field ?? '') : ''
  const what = path === '' ? 'The argument of a hook' : path
  const hint = nearest(value, name)
  return `${what} has no ${name}${hint === undefined ? '.' : `: did you mean ${hint}?`}`
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Names that published scripts and other banks use. */
const otherNames: Readonly<Record<string, string>> = {
  amount: 'centsAmount',
  amountcents: 'centsAmount',
  amountincents: 'centsAmount',
  value: 'centsAmount',
  currency: 'currencyCode',
  mcc: 'merchant.category.code',
  merchantcode: 'merchant.category.code',
  merchantname: 'merchant.name',
  categorycode: 'merchant.category.code',
  category: 'merchant.category',
  country: 'merchant.country',
  countrycode: 'merchant.country.code',
  city: 'merchant.city',
  date: 'dateTime',
  timestamp: 'dateTime',
  time: 'dateTime',
  account: 'accountNumber',
  accountid: 'accountNumber',
  cardid: 'card.id',
}

const nearest = (value: Value, name: string): string | undefined => {
  if (value.type !== 'object') return undefined
  const own = nearIn(value, name)
  if (own !== undefined) return own
  const other = otherNames[plain(name)]
  return other !== undefined && (value.path === '' || other.startsWith(`${value.path}.`)) ? other : undefined
}

/** The field with the same words in another order or style: `cents_amount`, `amountCents`. */
const nearIn = ({ fields }: KnownObject, name: string): string | undefined => {
  const letters = (text: string): string => plain(text).split('').sort().join('')
  const wanted = letters(name)
  return Object.keys(fields).find((field) => letters(field) === wanted || plain(field) === plain(name))
}

/** A field of the hook's argument that is compared with a literal. */
interface FieldComparison {
  readonly field: string
  readonly literal: Shape
  /** The literal's value, when it is a text or a number. */
  readonly text: string | undefined
  readonly number: number | undefined
  readonly strict: boolean
}

const comparisons = (program: Program, report: Report): void => {
  for (const { subject, literal, strict, equality } of comparisonsOf(program)) {
    const value = program.values.of(subject)
    const field = value && 'field' in value ? value.field : undefined
    if (field === undefined) continue
    const text = literalText(literal)
    const number = literal.type === 'Literal' && typeof literal.value === 'number' ? literal.value : undefined
    if (field === 'centsAmount') wholeCents(number, literal, report)
    else if (equality && field === 'merchant.category.code')
      categoryCode({ field, literal, text, number, strict }, report)
    else if (equality && text !== undefined) letterCase(field, text, literal, report)
  }
}

const wholeCents = (number: number | undefined, literal: Shape, report: Report): void => {
  if (number === undefined || Number.isInteger(number)) return
  report(
    'fractional-cents',
    literal,
    `centsAmount is in whole cents: ${number} is no such amount. R 99.99 is 9999.`,
  )
}

const categoryCode = ({ field, literal, text, number, strict }: FieldComparison, report: Report): void => {
  if (number !== undefined && strict)
    report(
      'category-code-number',
      literal,
      `${field} is a text, never the number ${number}: write '${String(number).padStart(4, '0')}'.`,
    )
  else if (text !== undefined && !/^\d{4}$/.test(text))
    report(
      'category-code-format',
      literal,
      `${field} has four digits: '${text.slice(0, 40)}' is never equal.`,
    )
}

const letterCase = (field: string, text: string, literal: Shape, report: Report): void => {
  const shown = text.slice(0, 40)
  if (field === 'currencyCode' && text !== text.toLowerCase())
    report('currency-case', literal, `currencyCode is in lower case: write '${shown.toLowerCase()}'.`)
  if (/country\.(code|alpha3)$/.test(field) && text !== text.toUpperCase())
    report('country-case', literal, `${field} is in upper case: write '${shown.toUpperCase()}'.`)
}

const isThing = (value: Value | undefined): boolean =>
  value?.type === 'object' ||
  value?.type === 'environment' ||
  value?.type === 'response' ||
  value?.type === 'promise'

const texts = ({ tree, values }: Program, report: Report): void => {
  const joined = (node: Shape): void => {
    if (!isThing(values.of(node))) return
    const shown = excerptOf(tree, node)
    report(
      'object-in-text',
      node,
      `${shown} is an object: the text says [object Object]. Write JSON.stringify(${shown}).`,
    )
  }
  for (const node of tree.nodes) {
    if (node.type === 'TemplateLiteral') {
      // A tag function receives the object itself.
      if (tree.parents.get(node)?.type === 'TaggedTemplateExpression') continue
      for (const each of children(node, 'expressions')) joined(each)
    } else if (node.type === 'BinaryExpression' && node.operator === '+') {
      const [left, right] = [node.left as Shape, node.right as Shape]
      if (values.of(left)?.type === 'text') joined(right)
      if (values.of(right)?.type === 'text') joined(left)
    }
  }
}
