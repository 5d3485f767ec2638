// Where the bank and card code meet: the hooks of a simulation and of a card transaction. All random values are drawn
// before the first wait, so that simultaneous calls get the same ids in every run.

import {
  adjust,
  approve,
  authorizationFor,
  decline,
  purchaseOf,
  refusal,
  reverse,
} from '../bank/cards/card-transactions.js'
import type { Attempt } from '../bank/cards/card-transactions.js'
import type { CardTransaction } from '../bank/cards/card-transaction-records.js'
import { authorizationOf, type Purchase } from '../bank/cards/hook-argument.js'
import type { Bank } from '../bank/bank.js'
import type { Hook } from '../bank/cards/hook-names.js'
import type { CardRecord } from '../bank/client-records.js'
import type { ExecutionRecord } from '../bank/cards/cards.js'
import type { Cents } from '../bank/money.js'
import type { CardCodeOrigin } from '../protocol/call.js'
import { Problem, type ProblemCode } from '../protocol/problem.js'
import { maxCallsUnderWay } from '../workspace/executions.js'
import { iso } from './execution-record.js'
import {
  type ExecutionIds,
  type HookContext,
  type HookResult,
  type HookRun,
  type Program,
  runHook,
} from './run-hook.js'

/** The largest depth of card code that calls the service, which runs card code, and so on. */
const maxDepth = 3
/** The most executions that one external call may start, directly and through card code. */
const maxExecutions = 64

/** What calls that run card code may be refused with, before anything is drawn or changed. */
export const hookProblems = [
  'nested-too-deep',
  'too-many-executions',
  'quota-exceeded',
] as const satisfies readonly ProblemCode[]

const drawRoot = (bank: Bank): string => bank.random.stream('executions').uuid().toUpperCase()

function drawExecution(bank: Bank): ExecutionIds {
  const stream = bank.random.stream('executions')
  return { executionId: stream.uuid().toUpperCase(), seed: stream.uint32() }
}

/**
 * The origin of the calls of this call's hooks. Refuses a call that starts too much, before anything is drawn or
 * changed: it adds `executions` to the count of the external call that started everything.
 */
function admit({ workspace, call: { cardCode } }: HookContext, executions: number): CardCodeOrigin {
  const { depth, root } = cardCode ?? { depth: 0, root: { executions: 0 } }
  if (depth >= maxDepth)
    throw new Problem('nested-too-deep', `Card code may start card code at most ${maxDepth} times over.`)
  if (root.executions + executions > maxExecutions)
    throw new Problem(
      'nested-too-deep',
      `One call may start at most ${maxExecutions} executions, those that card code starts included.`,
    )
  if (workspace.executions.isFull)
    throw new Problem(
      'too-many-executions',
      `${maxCallsUnderWay} calls that run card code are under way in this workspace; wait for some to end.`,
    )
  // A nested call is part of the one that started it, and must not wait for its end.
  workspace.executions.quota?.admit(cardCode ? 0 : workspace.executions.underWay)
  root.executions += executions
  return { depth: depth + 1, root }
}

type RunHook = (run: HookRun) => Promise<HookResult>

/**
 * Runs the hooks of one call. With a frozen clock the hooks of simultaneous calls run one after the other, in the
 * order of the calls: the speed of threads must not decide who is approved. A call of card code does not wait for the
 * call that started it.
 */
function withHooks<T>(
  context: HookContext,
  origin: CardCodeOrigin,
  work: (run: RunHook) => Promise<T>,
): Promise<T> {
  const { workspace, call } = context
  const signal = call.cardCode?.signal
  const inOrder = workspace.clock.frozen && call.cardCode === undefined
  return workspace.executions.run({ signal, inOrder }, (scope) =>
    work((run) => runHook(context, { ...scope, origin }, run)),
  )
}

/**
 * A simulated transaction: `beforeTransaction`, then always `afterTransaction`, or `afterDecline` for a declined one
 * when the setting says so. Nothing changes in the ledger. `variables` default to those of the card.
 */
export async function simulate(
  context: HookContext,
  card: CardRecord,
  source: string,
  purchase: Purchase,
  variables = context.bank.cards.programmable(card.cardKey).variables.variables,
): Promise<ExecutionRecord[]> {
  const origin = admit(context, 2)
  const { bank, workspace } = context
  const { accountNumber } = bank.account(card.accountId)
  const rootCodeFunctionId = drawRoot(bank)
  const draws = [drawExecution(bank), drawExecution(bank)] as const
  const shared = {
    source,
    variables,
    cardKey: card.cardKey,
    rootCodeFunctionId,
    sandbox: true,
    payload: (nowMs: number) =>
      authorizationOf(purchase, {
        accountNumber,
        dateTime: iso(nowMs),
        reference: 'simulation',
        card: { id: card.cardKey },
      }),
  }
  return withHooks(context, origin, async (runOne) => {
    const before = await runOne({ ...shared, hook: 'beforeTransaction', draw: draws[0] })
    const declined = !before.decision!.approved
    const second = declined ? workspace.settings.hooks.declinedSimulation : 'afterTransaction'
    const notBeforeMs = before.completedMs
    const after = await runOne({ ...shared, hook: second, draw: draws[1], notBeforeMs })
    return [before.execution, after.execution].filter((execution) => execution !== undefined)
  })
}

/** A decided card transaction, and the executions that ran for it. */
export interface Decided {
  readonly transaction: CardTransaction
  readonly executions: readonly ExecutionRecord[]
}

/**
 * A card transaction: the bank's own check, the code's decision, the bank's second check with the hold, the after
 * hook.
 */
export async function transact(context: HookContext, attempt: Attempt): Promise<Decided> {
  const origin = admit(context, 2)
  const { bank } = context
  const { card, purchase } = attempt
  const id = bank.books.newId()
  const rootCodeFunctionId = drawRoot(bank)
  const draws = [drawExecution(bank), drawExecution(bank)] as const
  const dateTime = iso(Math.floor(bank.clock.now() / 1000) * 1000)
  const identity = { id, dateTime, rootCodeFunctionId }
  // The hook argument does not distinguish a refund from a purchase, so the code of a rule would block refunds.
  const ruled = attempt.type === 'refund' && bank.cards.get(card.cardKey).rule !== null
  const program = ruled ? undefined : programOn(bank, card.cardKey)
  const about = {
    cardKey: card.cardKey,
    rootCodeFunctionId,
    sandbox: false,
    payload: () => authorizationFor(bank, card, purchase, identity),
  }
  const refused = refusal(bank, attempt)
  if (!program || refused === 'card-disabled') {
    const transaction = refused ? decline(bank, attempt, identity, refused) : approve(bank, attempt, identity)
    return { transaction, executions: [] }
  }
  return withHooks(context, origin, async (runOne) => {
    const executions: ExecutionRecord[] = []
    let transaction: CardTransaction
    let notBeforeMs: number | undefined
    if (refused) transaction = decline(bank, attempt, identity, refused)
    else {
      const before = await runOne({
        ...about,
        ...program,
        hook: 'beforeTransaction',
        draw: draws[0],
      })
      if (before.execution) executions.push(before.execution)
      notBeforeMs = before.completedMs
      const { approved, reason } = before.decision!
      transaction = approved ? approve(bank, attempt, identity) : decline(bank, attempt, identity, reason)
    }
    const hook = transaction.decision === 'approved' ? 'afterTransaction' : 'afterDecline'
    const after = {
      ...about,
      ...program,
      hook,
      draw: draws[1],
      ...(notBeforeMs !== undefined && { notBeforeMs }),
    } as const
    executions.push(...(await runAfter(runOne, after)))
    return { transaction, executions }
  })
}

/** Reverses a card transaction and runs `afterReversal`. */
export const reverseTransaction = (context: HookContext, id: string): Promise<Decided> =>
  changed(context, 'afterReversal', id, () => reverse(context.bank, id))

/** Adjusts a card transaction's amount and runs `afterAdjustment` with the new one. */
export const adjustTransaction = (context: HookContext, id: string, centsAmount: Cents): Promise<Decided> =>
  changed(context, 'afterAdjustment', id, () => adjust(context.bank, id, centsAmount))

async function changed(
  context: HookContext,
  hook: Hook,
  id: string,
  change: () => CardTransaction,
): Promise<Decided> {
  const origin = admit(context, 1)
  const { bank } = context
  // Card code never saw the household's purchases, so it does not see their changes either.
  const decided = bank.cards.hasTransaction(id)
  const transaction = change()
  if (!decided) return { transaction, executions: [] }
  const { cardKey, rootCodeFunctionId } = transaction
  const { card } = bank.cards.get(cardKey)
  const program = card.status === 'Active' ? programOn(bank, cardKey) : undefined
  if (!program) return { transaction, executions: [] }
  const payload = () => authorizationFor(bank, card, purchaseOf(transaction), transaction)
  const draw = drawExecution(bank)
  const run = { ...program, hook, cardKey, rootCodeFunctionId, sandbox: false, payload, draw }
  return { transaction, executions: await withHooks(context, origin, (runOne) => runAfter(runOne, run)) }
}

/** An after hook of a card transaction: of these only `afterTransaction` is required in main.js. */
async function runAfter(runOne: RunHook, run: HookRun): Promise<ExecutionRecord[]> {
  const { execution } = await runOne({ ...run, optional: run.hook !== 'afterTransaction' })
  return execution ? [execution] : []
}

/** The code that runs on the card's transactions: the published version, when the card is switched on. */
function programOn(bank: Bank, cardKey: string): Program | undefined {
  const { card, enabled, variables } = bank.cards.get(cardKey)
  const published = card.programmable && enabled ? bank.cards.publishedCode(cardKey) : undefined
  return published && { source: published.code, variables: variables.variables }
}
