// Writes fixtures/countries.json and fixtures/merchant-categories.json from the packages that contain the data, so that
// the server itself needs none of them: `npm run fixtures`, or with another folder as its argument. A test runs it and
// compares. fixtures/currencies.json is written by hand: no package has the service's own short list or our rates.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import countryList from 'country-list'
import { iso31661Alpha2ToAlpha3 } from 'iso-3166'
import mcc from 'mcc'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = process.argv[2] ?? join(root, 'fixtures')

// Code units, not a locale: the service lists `Auto Service Shops` before `Auto and Home Supply Stores`, and Åland
// last; and the order must not depend on the ICU data of the Node that runs this.
const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

const firstCountries = ['ZA', 'GB']

function countries() {
  const all = countryList
    .getData()
    .map(({ code, name }) => ({ code, alpha3: iso31661Alpha2ToAlpha3[code], name }))
    .sort(byName)
  return [
    ...firstCountries.map((code) => all.find((country) => country.code === code)),
    ...all.filter(({ code }) => !firstCountries.includes(code)),
  ]
}

// Keys that the rule in `categoryKey` does not give.
const irregularKeys = {
  1711: 'heating_plumbing_a_c',
  4111: 'commuter_transport_and_ferries',
  4214: 'motor_freight_carriers_and_trucking',
  4225: 'public_warehousing_and_storage',
  4723: 't_ui_travel_germany',
  5499: 'miscellaneous_food_stores',
  5511: 'car_and_truck_dealers_new_used',
  5521: 'car_and_truck_dealers_used_only',
  7511: 'truck_stop_iteration',
  9211: 'court_costs',
  9223: 'bail_and_bond_payments',
}

// Names for which the service's table differs from that of the US tax office in package mcc.
const ownNames = {
  1520: 'General Services',
  1731: 'Electrical Services',
  1750: 'Carpentry Services',
  1771: 'Concrete Work Services',
  1799: 'Special Trade Services',
  5966: 'Direct Marketing - Outbound Telemarketing',
  5967: 'Direct Marketing - Inbound Telemarketing',
  6540: 'Non-FI, Stored Value Card Purchase/Load',
  7511: 'Truck StopIteration',
}

const categoryName = (code, name) => ownNames[code] ?? name.replaceAll('’', '').replaceAll('  ', ' ').trim()

const categoryKey = (code, name) =>
  irregularKeys[code] ??
  name
    .replace(/ \(Not Elsewhere Classified\)$/, '')
    .toLowerCase()
    .replaceAll('a/c', 'ac')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')

function merchantCategories() {
  const types = join(root, 'node_modules/stripe/esm/resources/Issuing/Cards.d.ts')
  const [, union] = /type AllowedCategory =([^;]+);/.exec(readFileSync(types, 'utf8'))
  const keys = new Set(Array.from(union.matchAll(/'(\w+)'/g), ([, key]) => key))
  const names = new Map(mcc.all.map((entry) => [entry.mcc, entry.irs_description]))
  for (const code of Object.keys(ownNames)) names.set(code, ownNames[code])
  return Array.from(names, ([code, described]) => {
    const name = categoryName(code, described)
    return { code, key: categoryKey(code, name), name }
  })
    .filter(({ key }) => keys.has(key))
    .sort(byName)
}

for (const [collection, records] of Object.entries({
  countries: countries(),
  'merchant-categories': merchantCategories(),
})) {
  writeFileSync(join(folder, `${collection}.json`), `${JSON.stringify(records, null, 2)}\n`)
}
