// Countries, currencies and merchant categories, as the service lists them for cards.

import { countries, currencies, merchantCategories } from '../bank/reference.js'
import { ReferenceItem } from '../bank/records.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { listOf, record } from '../protocol/schema.js'

const list = (
  name: string,
  path: string,
  summary: string,
  title: string,
  items: () => readonly ReferenceItem[],
) =>
  defineEndpoint({
    method: 'GET',
    path,
    name,
    summary,
    auth: 'token',
    needsBank: false,
    response: record(title, `${summary}.`, {
      result: { ...listOf(ReferenceItem), description: `${summary}.` },
    }),
    envelope: 'no-links',
    problems: [],
    handle: () => ({ result: items() }),
  })

export const reference = [
  list('listCountries', '/za/v1/cards/countries', 'Countries by ISO 3166 code', 'CountryList', countries),
  list(
    'listCurrencies',
    '/za/v1/cards/currencies',
    'Currencies by ISO 4217 code',
    'CurrencyList',
    currencies,
  ),
  list(
    'listMerchantCategories',
    '/za/v1/cards/merchants',
    'Merchant categories by ISO 18245 code',
    'MerchantCategoryList',
    merchantCategories,
  ),
]
