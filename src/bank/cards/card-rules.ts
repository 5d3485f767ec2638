// Card rules that need no code from the user: choosing a rule writes and publishes the main.js and the variables that
// implement it.

import type { FromSchema, Schema } from '../../protocol/schema.js'
import type { Cents } from '../money.js'
import { currencies, currency, merchantCategories } from '../reference.js'

/** A rule in a request or a scenario: its kind, and the one value that the kind needs. {@link readRule} checks it. */
export const RuleBody = {
  title: 'CardRuleRequest',
  description: 'One of the three rules that need no card code.',
  type: 'object',
  properties: {
    rule: {
      enum: ['transaction-limit', 'merchant', 'merchant-category'],
      description: 'What the rule checks.',
    },
    centsAmount: {
      type: 'integer',
      minimum: 0,
      maximum: 100_000_000_000,
      description: 'transaction-limit: the largest amount of one transaction, in rand cents.',
    },
    merchantName: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description: 'merchant: the only merchant at which the card works; letter case does not count.',
    },
    categoryCode: {
      type: ['string', 'integer'],
      pattern: '^[0-9]{1,4}$',
      minimum: 0,
      maximum: 9999,
      description: 'merchant-category: the only merchant category in which the card works.',
    },
  },
  required: ['rule'],
  additionalProperties: false,
} as const satisfies Schema

/** A rule in an answer or a state: the same, but the category always has four digits. */
export const CardRuleOnWire = {
  ...RuleBody,
  title: 'CardRule',
  properties: {
    ...RuleBody.properties,
    categoryCode: {
      type: 'string',
      maxLength: 4,
      description: 'merchant-category: the only category in which the card works, four digits.',
    },
  },
} as const satisfies Schema

/** The rule of a card. */
export type CardRule =
  | { readonly rule: 'transaction-limit'; readonly centsAmount: Cents }
  | { readonly rule: 'merchant'; readonly merchantName: string }
  | { readonly rule: 'merchant-category'; readonly categoryCode: string }

/** The field that each kind of rule needs; it accepts no other. */
const fields = {
  'transaction-limit': 'centsAmount',
  merchant: 'merchantName',
  'merchant-category': 'categoryCode',
} as const

/** The rule in a body, or the errors that make it invalid. */
export function readRule(
  body: FromSchema<typeof RuleBody>,
): { rule: CardRule } | { errors: { path: string; message: string }[] } {
  const needed = fields[body.rule]
  const errors = Object.values(fields)
    .filter((field) => (body[field] !== undefined) !== (field === needed))
    .map((field) => ({
      path: `/${field}`,
      message: field === needed ? 'is missing' : `does not belong to the rule ${body.rule}`,
    }))
  if (errors.length > 0) return { errors }
  switch (body.rule) {
    case 'transaction-limit':
      return { rule: { rule: body.rule, centsAmount: body.centsAmount! } }
    case 'merchant':
      if (body.merchantName!.trim() === '') return refused('/merchantName', 'is blank')
      return { rule: { rule: body.rule, merchantName: body.merchantName! } }
    case 'merchant-category': {
      const categoryCode = String(body.categoryCode).padStart(4, '0')
      if (!merchantCategories().some(({ Code }) => Code === categoryCode))
        return refused('/categoryCode', 'is not a merchant category of the bank')
      return { rule: { rule: body.rule, categoryCode } }
    }
  }
}

const refused = (path: string, message: string) => ({ errors: [{ path, message }] })

/** The text of main.js. */
const programText = (what: string, decide: string): string => `// ${what}
const beforeTransaction = async (authorization) => {
${decide}
}

const afterTransaction = async (transaction) => {
  console.log(transaction)
}

const afterDecline = async (transaction) => {
  console.log(transaction)
}
`

/** The main.js and the variables that implement a rule. */
export function programOf(rule: CardRule): { code: string; variables: Record<string, string> } {
  switch (rule.rule) {
    case 'transaction-limit':
      return {
        code: programText(
          'Card rule: a limit for each transaction. RULE_RATES holds what a unit of a currency costs, in millionths of a rand.',
          `  const rate = JSON.parse(process.env.RULE_RATES)[authorization.currencyCode]
  const cents = Math.round((authorization.centsAmount * rate) / 1e6)
  return cents <= Number(process.env.RULE_LIMIT_CENTS)`,
        ),
        variables: { RULE_LIMIT_CENTS: String(rule.centsAmount), RULE_RATES: JSON.stringify(rates()) },
      }
    case 'merchant':
      return {
        code: programText(
          'Card rule: one merchant only.',
          `  const plain = (name) => name.trim().toLowerCase()
  return plain(authorization.merchant.name) === plain(process.env.RULE_MERCHANT)`,
        ),
        variables: { RULE_MERCHANT: rule.merchantName },
      }
    case 'merchant-category':
      return {
        code: programText(
          'Card rule: one merchant category only.',
          '  return authorization.merchant.category.code === process.env.RULE_CATEGORY',
        ),
        variables: { RULE_CATEGORY: rule.categoryCode },
      }
  }
}

const rates = (): Record<string, number> =>
  Object.fromEntries(currencies().map(({ Code }) => [Code.toLowerCase(), currency(Code)!.randMillionths]))
