// Where the bank and card code meet: runs the hooks of a card, keeps each execution, and turns what came of it into a
// decision. All chance is drawn before the first wait, so that calls at the same time get the same ids in every run.

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
import type { CardTransaction, Reason } from '../bank/cards/card-transaction-records.js'
import { authorizationOf, type Authorization, type Purchase } from '../bank/cards/hook-argument.js'
import type { Bank } from '../bank/bank.js'
import type { CardRecord } from '../bank/client-records.js'
import type {
  ExecutionError,
  ExecutionType,
  ListedExecution,
  OutboundCallRecord,
} from '../bank/cards/card-records.js'
import type { ExecutionRecord } from '../bank/cards/cards.js'
import type { Cents } from '../bank/money.js'
import type { Outcome } from '../card-code/host/runner.js'
import type { Settings } from '../settings/settings.js'
import type { Context } from '../endpoint/endpoint.js'
import { answerOwnAddress } from './own-address.js'
import { Problem } from '../protocol/problem.js'
import { isSecretName } from '../protocol/redaction.js'

/** What hooks need of the call that makes them run: an endpoint's context has it. */
export type HookContext = Pick<
  Context<unknown, unknown, unknown>,
  'runner' | 'handle' | 'listensAt' | 'workspace' | 'bank' | 'call'
>

/** service-interface "Limits": the windows, and the type that an execution of the hook has. */
const hooks = {
  beforeTransaction: { type: 'before_transaction', windowMs: 2_000 },
  afterTransaction: { type: 'after_transaction', windowMs: 15_000 },
  afterDecline: { type: 'after_decline', windowMs: 15_000 },
  afterReversal: { type: 'after_reversal', windowMs: 15_000 },
  afterAdjustment: { type: 'after_adjustment', windowMs: 15_000 },
} as const satisfies Record<string, { type: ExecutionType; windowMs: number }>
type Hook = keyof typeof hooks

/** Card code that calls the service which runs card code, and so on: not deeper than this. */
const maxDepth = 3

/** What is drawn for one execution. */
interface ExecutionIds {
  readonly executionId: string
  readonly seed: number
}

/** Code, and what it is run with. */
interface Program {
  readonly source: string
  readonly variables: Readonly<Record<string, string>>
}

interface HookRun extends Program {
  readonly hook: Hook
  readonly cardKey: string
  readonly rootCodeFunctionId: string
  readonly draw: ExecutionIds
  readonly sandbox: boolean
  /** The hook's argument for an instant (epoch ms) at which it starts. */
  readonly payload: (nowMs: number) => Authorization
  /** An after hook starts when the one before it has ended, also by a clock that stands still. */
  readonly notBeforeMs?: number
  /** main.js may do without it: then there was no execution. */
  readonly optional?: boolean
}

const drawRoot = (bank: Bank): string => bank.random.stream('executions').uuid().toUpperCase()

function drawExecution(bank: Bank): ExecutionIds {
  const stream = bank.random.stream('executions')
  return { executionId: stream.uuid().toUpperCase(), seed: stream.uint32() }
}

/** An outcome, or that there could be none. */
type Ended = Omit<Outcome, 'end'> & { end: Outcome['end'] | 'not-run' }

/** What a hook did, as an execution that is kept and as it decides. */
interface HookResult {
  /** Undefined when the hook may be missing, and is. */
  readonly execution: ExecutionRecord | undefined
  readonly completedMs: number
  /** Null for every hook but beforeTransaction. */
  readonly verdict: Verdict | null
}

interface Verdict {
  readonly approved: boolean
  /** Why it was declined, if it was. */
  readonly reason: Reason
}

async function runHook(context: HookContext, run: HookRun): Promise<HookResult> {
  const { bank, workspace, call } = context
  const { clock } = bank
  const { settings } = workspace
  const { hook, source, variables, cardKey, draw } = run
  const nowMs = Math.max(clock.now(), run.notBeforeMs ?? -Infinity)
  const origin = { depth: depthOf(call) + 1, root: call.cardCode?.root ?? { executions: 0 } }
  const own = answerOwnAddress({ ...context, cardCode: origin })
  let outcome: Ended
  let settled: Promise<Outcome> | undefined
  try {
    const runner = await context.runner()
    const answer = await runner.run({
      hook,
      source,
      variables,
      payload: run.payload(nowMs),
      windowMs: hooks[hook].windowMs,
      time: { nowMs, frozen: clock.frozen },
      seed: draw.seed,
      policy: settings.outbound,
      origin,
      handler: async (request, signal) =>
        (await workspace.outboundStubs(request, signal)) ?? (await own(request, signal)),
    })
    ;({ outcome, settled } = answer)
  } catch (error) {
    outcome = notRun(error, nowMs)
  }
  if (run.optional && outcome.end === 'missing-hook')
    return { execution: undefined, completedMs: outcome.completedMs, verdict: null }
  const verdict = hook === 'beforeTransaction' ? verdictOf(outcome, settings.hooks) : null
  const execution = executionOf(run, outcome, verdict)
  bank.cards.record(cardKey, execution)
  // What the hook left running goes on; only a runner that is closed never tells, and then nobody asks.
  settled?.then(
    (whole) => {
      if (whole.logs.length !== outcome.logs.length || whole.outbound.length > 0)
        bank.cards.complete(cardKey, executionOf(run, whole, verdict))
    },
    () => undefined,
  )
  return { execution, completedMs: outcome.completedMs, verdict }
}

/** No thread could be had: nothing that card code did. */
function notRun(error: unknown, nowMs: number): Ended {
  const message = error instanceof Error ? error.message : String(error)
  const failure = { name: 'Error', message, stack: `Error: ${message}`, afterMs: 0 }
  const nothing = { value: undefined, returnedType: 'undefined', logs: [], outbound: [] }
  return { end: 'not-run', error: failure, ...nothing, startedMs: nowMs, completedMs: nowMs }
}

function verdictOf({ end, value, returnedType }: Ended, policies: Settings['hooks']): Verdict {
  if (end === 'returned' && returnedType === 'boolean')
    return { approved: value === true, reason: value === true ? 'approved' : 'declined-by-code' }
  const [policy, reason] = failurePolicy(end, policies)
  return policy === 'approve' ? { approved: true, reason: 'approved' } : { approved: false, reason }
}

function failurePolicy(
  end: Ended['end'],
  { onTimeout, onError, onNonBoolean, onMissing }: Settings['hooks'],
): ['approve' | 'decline', Reason] {
  switch (end) {
    case 'returned':
      return [onNonBoolean, 'code-non-boolean']
    case 'timed-out':
      return [onTimeout, 'code-timeout']
    case 'missing-hook':
      return [onMissing, 'code-missing-hook']
    case 'threw':
    case 'syntax-error':
    case 'out-of-memory':
    case 'crashed':
    case 'not-run':
      return [onError, 'code-error']
  }
}

const iso = (ms: number): string => new Date(ms).toISOString()

function executionOf(run: HookRun, outcome: Ended, verdict: Verdict | null): ExecutionRecord {
  const { hook, draw, rootCodeFunctionId, sandbox } = run
  const started = iso(outcome.startedMs)
  const { type } = hooks[hook]
  const execution: ListedExecution = {
    executionId: draw.executionId,
    rootCodeFunctionId,
    sandbox,
    type,
    authorizationApproved: verdict?.approved ?? null,
    logs: outcome.logs.map(({ atMs, level, content }) => ({ createdAt: iso(atMs), level, content })),
    smsCount: 0,
    emailCount: 0,
    pushNotificationCount: 0,
    createdAt: started,
    startedAt: started,
    completedAt: iso(outcome.completedMs),
    updatedAt: started,
  }
  const outbound = outcome.outbound.map((call) => outboundOf(run, call))
  return { execution, error: errorOf(run, outcome), outbound }
}

function errorOf(
  { hook }: HookRun,
  { end, error, value, returnedType, ...outcome }: Ended,
): ExecutionError | null {
  if (end !== 'returned') {
    const { name, message, stack, line = null, afterMs } = error!
    return { code: end, name, message, stack, line, afterMs }
  }
  if (hook !== 'beforeTransaction' || returnedType === 'boolean') return null
  const given = value === null ? 'null' : articled(returnedType)
  const message = `beforeTransaction returned ${given} instead of true or false`
  const afterMs = outcome.completedMs - outcome.startedMs
  return {
    code: 'non-boolean',
    name: 'TypeError',
    message,
    stack: `TypeError: ${message}`,
    line: null,
    afterMs,
  }
}

const articled = (type: string): string =>
  type === 'undefined' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

const secretName = /auth|cookie|key|token|secret|pass|pwd|sig|cred|jwt|pin|code|hash|otp/i

/** The call as it is kept: no secret of its address is. */
function outboundOf(
  { hook, cardKey, draw, sandbox }: HookRun,
  call: Outcome['outbound'][number],
): OutboundCallRecord {
  const url = redactUrl(call.url)
  return {
    executionId: draw.executionId,
    cardKey,
    type: hooks[hook].type,
    sandbox,
    sentAt: iso(call.atMs),
    method: call.method,
    url,
    status: call.status,
    error: call.error?.replaceAll(call.url, url).replaceAll(call.url.replace(/#.*/s, ''), url) ?? null,
    ms: call.ms,
    requestHeaders: call.requestHeaders.map(([name, value]) => [name, value]),
    requestBytes: call.requestBytes,
    responseBytes: call.responseBytes,
  }
}

/**
 * The address without user, password, fragment and the query values of names that may be a secret's. Linear in its
 * length: card code chooses it.
 */
export function redactUrl(text: string): string {
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') {
    url.username = ''
    url.password = ''
  }
  url.hash = ''
  if (url.search === '') return url.href
  const fields = url.search.slice(1).split('&')
  url.search = fields.map(redactField).join('&')
  return url.href
}

function redactField(field: string): string {
  const mark = field.indexOf('=')
  const name = mark < 0 ? field : field.slice(0, mark)
  return mark >= 0 && (secretName.test(name) || isSecretName(name)) ? `${name}=redacted` : field
}

const depthOf = ({ cardCode }: HookContext['call']): number => cardCode?.depth ?? 0

/** Refuses to run card code for card code that runs card code for card code… */
function guardDepth({ call }: HookContext): void {
  if (depthOf(call) >= maxDepth)
    throw new Problem('nested-too-deep', `Card code may start card code at most ${maxDepth} times over.`)
}

/** The end of what runs last in a workspace whose clock stands still. */
const turns = new WeakMap<HookContext['workspace'], Promise<void>>()

/**
 * By a clock that stands still the hooks of calls that come at once run one after the other, in the order of the calls:
 * which thread is faster must not decide who is approved. Code that is called by code does not wait for it.
 */
function inTurn<T>({ workspace, call }: HookContext, work: () => Promise<T>): Promise<T> {
  if (!workspace.clock.frozen || depthOf(call) > 0) return work()
  const before = turns.get(workspace)
  const mine = before ? before.then(work) : work()
  const end = (): void => undefined
  turns.set(workspace, mine.then(end, end))
  return mine
}

/**
 * A simulated transaction: `beforeTransaction`, then always `afterTransaction`, or `afterDecline` where the setting says
 * so for a declined one. Nothing moves in the ledger. `variables` are those of the card, if no others are given.
 */
export async function simulate(
  context: HookContext,
  card: CardRecord,
  source: string,
  purchase: Purchase,
  variables = context.bank.cards.programmable(card.cardKey).variables.variables,
): Promise<ExecutionRecord[]> {
  guardDepth(context)
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
  return inTurn(context, async () => {
    const before = await runHook(context, { ...shared, hook: 'beforeTransaction', draw: draws[0] })
    const declined = !before.verdict!.approved
    const second = declined ? workspace.settings.hooks.declinedSimulation : 'afterTransaction'
    const notBeforeMs = before.completedMs
    const after = await runHook(context, { ...shared, hook: second, draw: draws[1], notBeforeMs })
    return [before.execution, after.execution].filter((execution) => execution !== undefined)
  })
}

/** A card transaction that was decided, and the executions that ran for it. */
export interface Decided {
  readonly transaction: CardTransaction
  readonly executions: readonly ExecutionRecord[]
}

/** A card transaction: the bank's own check, the code's word, the bank's check again with the hold, the after hook. */
export async function transact(context: HookContext, attempt: Attempt): Promise<Decided> {
  guardDepth(context)
  const { bank } = context
  const { card, purchase } = attempt
  const id = bank.books.newId()
  const rootCodeFunctionId = drawRoot(bank)
  const draws = [drawExecution(bank), drawExecution(bank)] as const
  const dateTime = iso(Math.floor(bank.clock.now() / 1000) * 1000)
  const identity = { id, dateTime, rootCodeFunctionId }
  // What hooks are given does not tell a refund from a purchase, so the code of a rule would keep money from coming back.
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
  return inTurn(context, async () => {
    const executions: ExecutionRecord[] = []
    let transaction: CardTransaction
    let notBeforeMs: number | undefined
    if (refused) transaction = decline(bank, attempt, identity, refused)
    else {
      const before = await runHook(context, {
        ...about,
        ...program,
        hook: 'beforeTransaction',
        draw: draws[0],
      })
      if (before.execution) executions.push(before.execution)
      notBeforeMs = before.completedMs
      const { approved, reason } = before.verdict!
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
    executions.push(...(await runAfter(context, after)))
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
  guardDepth(context)
  const { bank } = context
  // The household's purchases were never put to card code, so nor is what becomes of them.
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
  return { transaction, executions: await inTurn(context, () => runAfter(context, run)) }
}

/** An after hook of a card transaction: of all of them only `afterTransaction` has to be in main.js. */
async function runAfter(context: HookContext, run: HookRun): Promise<ExecutionRecord[]> {
  const { execution } = await runHook(context, { ...run, optional: run.hook !== 'afterTransaction' })
  return execution ? [execution] : []
}

/** The code that runs on the card's transactions: published, on a card that is switched on. */
function programOn(bank: Bank, cardKey: string): Program | undefined {
  const { card, enabled, variables } = bank.cards.get(cardKey)
  const published = card.programmable && enabled ? bank.cards.publishedCode(cardKey) : undefined
  return published && { source: published.code, variables: variables.variables }
}

/** An execution as a simulation or a card transaction answers it. */
export const executionOnWire = ({ execution, error }: ExecutionRecord) => ({ ...execution, Error: error })
