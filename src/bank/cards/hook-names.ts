// The hooks of card code, and how long each may run (docs/cards.md).

/** Each hook: the type of its executions, and its window in ms. */
export const hooks = {
  beforeTransaction: { type: 'before_transaction', windowMs: 2_000 },
  afterTransaction: { type: 'after_transaction', windowMs: 15_000 },
  afterDecline: { type: 'after_decline', windowMs: 15_000 },
  afterReversal: { type: 'after_reversal', windowMs: 15_000 },
  afterAdjustment: { type: 'after_adjustment', windowMs: 15_000 },
} as const

export type Hook = keyof typeof hooks
export type ExecutionType = (typeof hooks)[Hook]['type']

export const hookNames = Object.keys(hooks) as Hook[]

/** The types of executions, in the order of the hooks. */
export const executionTypes: readonly ExecutionType[] = hookNames.map((name) => hooks[name].type)

/** The hook with executions of this type. */
export const hookOf = (type: ExecutionType): Hook => hookNames.find((name) => hooks[name].type === type)!
