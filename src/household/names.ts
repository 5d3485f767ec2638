// Names of people and places for the household, drawn from our own stream.

import { faker as southAfrican } from '@faker-js/faker/locale/en_ZA'
import type { Stream } from '../determinism/random.js'

export type Faker = typeof southAfrican

/** A separate faker instance that draws from our stream: faker's shared instance belongs to the user of the process. */
export function namesFrom(chance: Stream): Faker {
  const Own = southAfrican.constructor as new (options: object) => Faker
  const randomizer = { next: () => chance.fraction(), seed: () => undefined }
  return new Own({ locale: southAfrican.rawDefinitions, randomizer })
}

export const surname = (names: Faker): string => names.person.lastName().toUpperCase()
