// Money is integer cents inside the bank; only requests and answers use rand. Nothing is added in floating point.

/** An amount of money in whole cents. */
export type Cents = number

/** The largest amount in a call: a thousand million rand, so that sums stay exact integers. */
export const maxCents: Cents = 100_000_000_000

/** The largest balance of an account, positive or negative: up to it, rand on the wire still show every cent. */
export const maxBalanceCents: Cents = 1_000_000_000_000_000

/**
 * The cents of a decimal rand amount as requests carry it (`"10.12"`, `"10"`, or a JSON number). Undefined when it is
 * not a positive decimal with at most two places, or above {@link maxCents}.
 */
export function parseRand(amount: string | number): Cents | undefined {
  const cents = parseSignedRand(amount)
  return cents !== undefined && cents > 0 ? cents : undefined
}

/** Like {@link parseRand}, but also accepts zero and negative amounts down to -{@link maxCents}. */
export function parseSignedRand(amount: string | number): Cents | undefined {
  // A number is read through its shortest text: 10.1 is 1010 cents, and 1e21 is refused.
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(amount))
  if (!match) return undefined
  const cents = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  if (cents > maxCents) return undefined
  return match[1] === '-' && cents > 0 ? -cents : cents
}

/** The cents of an amount as people type it: `600`, `84,95`, `R 1 234.00`. Undefined as for {@link parseRand}. */
export const parseTypedRand = (text: string): Cents | undefined =>
  parseRand(text.replace(/\s/g, '').replace(/^R|R$/i, '').replace(',', '.').replace(/\.$/, ''))

/** The cents of a JSON number of rand, as answers have it: 10.12 is 1012 cents. The inverse of {@link toRand}. */
export const fromRand = (rand: number): Cents => Math.round(rand * 100)

/** The JSON number of rand in answers: 1012 cents are 10.12. The division rounds correctly, so never 10.120000000000001. */
export const toRand = (cents: Cents): number => cents / 100

/** `2,000.00`, with a minus sign when negative. */
export function formatRand(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const rand = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${cents < 0 ? '-' : ''}${rand}.${digits.slice(-2)}`
}

/**
 * `cents` times `numerator` over `denominator`, rounded half away from zero, in integer arithmetic: for interest and
 * rates, where the product exceeds 2^53.
 */
export function proportion(cents: Cents, numerator: number, denominator: number): Cents {
  const product = BigInt(cents) * BigInt(numerator)
  const magnitude = product < 0n ? -product : product
  const rounded = Number((magnitude * 2n + BigInt(denominator)) / (2n * BigInt(denominator)))
  return product < 0n ? -rounded : rounded
}

export const sumOf = (amounts: readonly Cents[]): Cents => amounts.reduce((total, cents) => total + cents, 0)
