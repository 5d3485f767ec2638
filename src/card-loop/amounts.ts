// How the commands write numbers and amounts.

/** Whole numbers in groups of three: `41 220`. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ' ')

/** Cents as rand: `R 8 412,10`. */
export function rand(cents: number): string {
  const size = Math.abs(cents)
  const text = `R ${grouped(Math.floor(size / 100))},${String(size % 100).padStart(2, '0')}`
  return cents < 0 ? `-${text}` : text
}

/** An amount in its own currency. */
export const amount = (cents: number, currency = 'ZAR'): string =>
  currency.toUpperCase() === 'ZAR' ? rand(cents) : rand(cents).replace('R', currency.toUpperCase())
