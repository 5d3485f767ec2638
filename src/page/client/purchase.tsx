// A purchase as somebody types it: the same fields for a swipe and for a simulation.

import { useState } from 'preact/hooks'
import type { Answer, Body } from './api.js'
import { centsOf } from './format.js'
import { Field } from './parts.js'

export type CardSummary = Answer<'GET', '/_sandbox/cards'>['cards'][number]
export type CardTransaction = Answer<'GET', '/_sandbox/cards/{cardkey}/transactions'>['transactions'][number]
export type Purchase = Body<'POST', '/_sandbox/cards/{cardkey}/transactions'>

/** Categories that card code often asks for; any other code can be typed. */
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

/** Fields of a purchase, kept while the page is open. */
export interface PurchaseFields {
  readonly amount: string
  readonly category: string
  readonly merchant: string
}

let kept: PurchaseFields = { amount: '600', category: '5812', merchant: 'Ocean Grill' }

/** The fields of a purchase and how to change them; the next screen that has them begins with the same. */
export function usePurchase(): [PurchaseFields, (change: Partial<PurchaseFields>) => void] {
  const [fields, set] = useState(kept)
  return [
    fields,
    (change) => {
      kept = { ...kept, ...change }
      set(kept)
    },
  ]
}

/** Fills the fields with a purchase, for the next screen that has them. */
export function keepPurchase({ centsAmount, merchant }: Purchase): void {
  kept = {
    amount: (centsAmount / 100).toFixed(2).replace('.', ','),
    category: String(merchant?.categoryCode ?? ''),
    merchant: merchant?.name ?? '',
  }
}

/** What was typed as a purchase; undefined when the amount is none. */
export function typedPurchase({ amount, category, merchant }: PurchaseFields): Purchase | undefined {
  const centsAmount = centsOf(amount)
  if (centsAmount === undefined) return undefined
  const name = merchant.trim()
  const categoryCode = category.trim()
  return {
    centsAmount,
    merchant: { ...(name !== '' && { name }), ...(categoryCode !== '' && { categoryCode }) },
  }
}

/** Amount, category and merchant: the same fields for a swipe and for a simulation. */
export function PurchaseForm({
  fields,
  change,
}: {
  fields: PurchaseFields
  change: (change: Partial<PurchaseFields>) => void
}) {
  const isWrong = centsOf(fields.amount) === undefined
  return (
    <>
      <Field
        label="Amount in rand"
        class="short"
        inputmode="decimal"
        value={fields.amount}
        aria-invalid={isWrong}
        title={isWrong ? 'An amount such as 600 or 84,95' : undefined}
        onInput={(event) => change({ amount: event.currentTarget.value })}
      />
      <Field
        label="Merchant category"
        class="short"
        list="categories"
        maxlength={4}
        value={fields.category}
        onInput={(event) => change({ category: event.currentTarget.value })}
      />
      <Field
        label="Merchant name"
        maxlength={200}
        value={fields.merchant}
        onInput={(event) => change({ merchant: event.currentTarget.value })}
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
