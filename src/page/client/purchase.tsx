// The form of a purchase: the same fields for a swipe and for a simulation.

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { perform } from './acts.js'
import { ask, type Answer, type Body } from './api.js'
import { parseTypedRand, toRand } from '../../bank/money.js'
import { money } from './format.js'
import { Field } from './parts.js'
import { goTo, route } from './route.js'

export type CardSummary = Answer<'GET', '/_sandbox/cards'>['cards'][number]
export type CardTransaction = Answer<'GET', '/_sandbox/cards/{cardkey}/transactions'>['transactions'][number]
export type Purchase = Body<'POST', '/_sandbox/cards/{cardkey}/transactions'>

/** Categories that card code often checks; any other code can be typed. */
const categories = [
  ['5411', 'groceries'],
  ['5462', 'bakeries'],
  ['5541', 'service stations'],
  ['5812', 'restaurants'],
  ['5814', 'fast food'],
  ['5912', 'pharmacies'],
  ['5921', 'liquor'],
  ['4121', 'taxis'],
  ['4899', 'streaming'],
  ['6011', 'cash machines'],
  ['7995', 'gambling'],
] as const

/** The purchase of a transaction, to make again. */
export const purchaseOf = ({ centsAmount, currencyCode, type, merchant }: CardTransaction): Purchase => ({
  centsAmount,
  currencyCode,
  type,
  merchant: {
    name: merchant.name,
    city: merchant.city,
    countryCode: merchant.countryCode,
    categoryCode: merchant.categoryCode,
  },
})

/** The fields of a purchase, kept while the page is open. */
interface PurchaseFields {
  readonly amount: string
  readonly category: string
  readonly merchant: string
}

/** The contents of the fields, shared by all screens that have them. */
const fields = signal<PurchaseFields>({
  amount: '600',
  category: '5812',
  merchant: 'Ocean Grill',
})

const changeFields = (change: Partial<PurchaseFields>): void => {
  fields.value = { ...fields.value, ...change }
}

/** Cents as people type them: `84,95`. */
export const typed = (cents: number): string => toRand(cents).toFixed(2).replace('.', ',').replace(/,00$/, '')

/** Fills the fields with a transaction, in rand. */
export const fillFields = ({ randCents, merchant }: CardTransaction): void => {
  fields.value = { amount: typed(randCents), category: merchant.categoryCode, merchant: merchant.name }
}

/** The typed purchase; undefined when its amount is invalid. */
export function typedPurchase(): Purchase | undefined {
  const { amount, category, merchant } = fields.value
  const centsAmount = parseTypedRand(amount)
  if (centsAmount === undefined) return undefined
  const name = merchant.trim()
  const categoryCode = category.trim()
  return {
    centsAmount,
    merchant: { ...(name !== '' && { name }), ...(categoryCode !== '' && { categoryCode }) },
  }
}

/** Uses a card and shows the transaction that came of it, unless another screen was opened meanwhile. */
export async function swipeCard(cardkey: string, purchase: Purchase): Promise<void> {
  const { screen } = route.value
  const done = await perform(
    () => ask('POST', '/_sandbox/cards/{cardkey}/transactions', { params: { cardkey }, body: purchase }),
    ({ decision, transaction: { merchant, centsAmount, currencyCode } }) =>
      `${decision === 'approved' ? 'Approved' : 'Declined'}: ${merchant.name}, ${money(centsAmount, currencyCode)}.`,
  )
  if (done && route.value.screen === screen) goTo('cards', [cardkey, 't', done.transaction.id])
}

interface PanelProps {
  readonly submit: () => void
  readonly children: ComponentChildren
}

/** The form around the fields of a purchase and its buttons. */
export const PurchasePanel = ({ submit, children }: PanelProps) => (
  <form
    class="panel row"
    aria-label="Purchase"
    onSubmit={(event) => {
      event.preventDefault()
      submit()
    }}
  >
    {children}
  </form>
)

/** Amount, category and merchant: the same fields for a swipe and for a simulation. */
export function PurchaseFields() {
  const { amount, category, merchant } = fields.value
  const isWrong = parseTypedRand(amount) === undefined
  return (
    <>
      <Field
        label="Amount in rand"
        class="short"
        inputmode="decimal"
        value={amount}
        aria-invalid={isWrong}
        title={isWrong ? 'An amount such as 600 or 84,95' : undefined}
        onInput={(event) => changeFields({ amount: event.currentTarget.value })}
      />
      <Field
        label="Merchant category"
        class="short"
        list="categories"
        maxlength={4}
        value={category}
        onInput={(event) => changeFields({ category: event.currentTarget.value })}
      />
      <Field
        label="Merchant name"
        class="grow"
        maxlength={200}
        value={merchant}
        onInput={(event) => changeFields({ merchant: event.currentTarget.value })}
      />
      <datalist id="categories">
        {categories.map(([code, text]) => (
          <option key={code} value={code}>
            {text}
          </option>
        ))}
      </datalist>
    </>
  )
}
