// The programs of the escape suite.
import { bridge } from './escapes/bridge.js'
import { sources, floods } from './escapes/floods.js'
import { loops, recursion } from './escapes/loops.js'
import { memory } from './escapes/memory.js'
import { operations } from './escapes/operations.js'
import { pollution } from './escapes/pollution.js'
import { prototypes } from './escapes/prototypes.js'
import { walks } from './escapes/walks.js'

export const escapes = [
  ...walks,
  ...bridge,
  ...pollution,
  ...prototypes,
  ...memory,
  ...loops,
  ...recursion,
  ...sources,
  ...floods,
  ...operations,
]
