// Amounts and times as South Africans write them: R 8 412,10 with non-breaking spaces.

import { toRand } from '../../bank/money.js'

const space = '\u00a0'
const minus = '\u2212'

/** Cents as `R 8 412,10`. */
export function rand(cents: number): string {
  const [whole, part] = toRand(Math.abs(cents)).toFixed(2).split('.')
  const grouped = whole!.replace(/\B(?=(\d{3})+$)/g, space)
  return `${cents < 0 ? minus : ''}R${space}${grouped},${part!}`
}

/** An amount in another currency: `USD 12,50`. */
export const money = (cents: number, currency: string): string =>
  currency === 'ZAR' ? rand(cents) : rand(cents).replace(/R/, currency)

const zone = 'Africa/Johannesburg'
const dayTime = new Intl.DateTimeFormat('en-ZA', {
  timeZone: zone,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const timeOnly = new Intl.DateTimeFormat('en-ZA', {
  timeZone: zone,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const dayOnly = new Intl.DateTimeFormat('en-ZA', { timeZone: zone, day: 'numeric', month: 'short' })

/** `Wed, 25 Mar 2026, 10:00`, South African time. */
export const when = (iso: string): string => dayTime.format(Date.parse(iso))
/** `10:00:05`, South African time. */
export const time = (iso: string): string => timeOnly.format(Date.parse(iso))
/** `25 Mar`, South African time. */
export const day = (iso: string): string => dayOnly.format(Date.parse(iso))

/** Milliseconds as `312 ms` or `1,5 s`. */
export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)}${space}ms` : `${(ms / 1000).toFixed(1).replace('.', ',')}${space}s`

/** What a reason means, as a sentence. */
export const reasonTexts: Readonly<Record<string, string>> = {
  approved: 'The bank approved it',
  'card-disabled': 'The card is not active',
  'insufficient-funds': 'The account does not have enough money',
  'declined-by-code': 'beforeTransaction returned false',
  'code-timeout': 'The code did not answer within two seconds',
  'code-error': 'The code threw an error',
  'code-non-boolean': 'The code did not return true or false',
  'code-missing-hook': 'main.js has no beforeTransaction',
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
