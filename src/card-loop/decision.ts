// The decision of card code about a purchase: the result, the reason, and everything that the code did.

import { hookOf } from '../bank/cards/hook-names.js'
import type { Execution } from '../bank/cards/card-records.js'
import { keptAddress } from '../protocol/redaction.js'
import type { Lane, Lens, ObservedCall, ObservedRun } from './bank-under-test.js'
import { LoopError } from './loop-error.js'
import type { PurchaseRequest } from './purchase.js'

/** The program of a card. */
export interface CardProgram {
  /** main.js in the form that the bank takes. */
  readonly code: string
  readonly variables: Readonly<Record<string, string>>
}

interface LogLine {
  /** Since the hook began. */
  readonly atMs: number
  readonly level: 'info' | 'warn' | 'error' | 'debug'
  readonly text: string
}

interface CallLine {
  readonly atMs: number
  readonly method: string
  /** Without secrets. */
  readonly url: string
  /** Null when no answer came. */
  readonly status: number | null
  readonly ms: number
  readonly error: string | null
  readonly answeredBy: ObservedCall['answeredBy']
}

/** The error of a hook. */
export interface Failure {
  /** `threw`, `timed-out`, `missing-hook`, `syntax-error`, `out-of-memory`, `crashed`, `non-boolean`. */
  readonly code: string
  readonly name: string
  readonly message: string
  readonly line: number | null
  readonly column: number | null
}

export interface HookRun {
  /** beforeTransaction or another hook. */
  readonly hook: string
  /** The result of beforeTransaction; null for other hooks, and when it made no decision. */
  readonly returned: boolean | null
  readonly usedMs: number
  readonly windowMs: number
  readonly logs: readonly LogLine[]
  readonly calls: readonly CallLine[]
  readonly failure: Failure | null
}

/** A decided purchase. */
export interface Decision {
  readonly decision: 'approved' | 'declined'
  /** `approved`, `declined-by-code`, `insufficient-funds`, or how the code failed: `code-timeout`. */
  readonly reason: string
  readonly hooks: readonly HookRun[]
  /** The card transaction; null for a simulation. */
  readonly transactionId: string | null
}

/** A decision with the raw requests, which must not be printed. */
export interface Decided {
  readonly decision: Decision
  readonly sent: readonly ObservedCall[]
}

/** The bank's reason for a hook that made no decision. */
const reasons: Readonly<Record<string, string>> = {
  threw: 'code-error',
  'syntax-error': 'code-error',
  'out-of-memory': 'code-error',
  crashed: 'code-error',
  'not-run': 'code-error',
  'timed-out': 'code-timeout',
  'non-boolean': 'code-non-boolean',
  'missing-hook': 'code-missing-hook',
}

/** The key of a programmable card, by default the first. Throws a {@link LoopError}. */
export async function cardOf(lane: Lane, asked: string | undefined): Promise<string> {
  const { cards } = (
    await lane.service<{ cards: { CardKey: string; IsProgrammable: boolean }[] }>('GET', '/za/v1/cards')
  ).body
  const programmable = cards.filter((card) => card.IsProgrammable).map((card) => card.CardKey)
  const found =
    asked === undefined ? programmable[0] : cards.find(({ CardKey }) => CardKey === asked)?.CardKey
  if (found !== undefined && programmable.includes(found)) return found
  if (programmable.length === 0) throw new LoopError('The scenario has no programmable card.')
  const known = `programmable cards are ${programmable.join(', ')}`
  throw new LoopError(
    found === undefined
      ? `There is no card ${asked}; ${known}.`
      : `Card ${asked} is not programmable; ${known}.`,
  )
}

/** Publishes code on a card and switches it on. */
export async function install(lane: Lane, cardKey: string, program: CardProgram): Promise<void> {
  const card = `/za/v1/cards/${cardKey}`
  await lane.service('POST', `${card}/environmentvariables`, { variables: program.variables })
  const saved = await lane.service<{ result: { codeId: string } }>('POST', `${card}/code`, {
    code: program.code,
  })
  await lane.service('POST', `${card}/publish`, { codeid: saved.body.result.codeId, code: '' })
  await lane.service('POST', `${card}/toggle-programmable-feature`, { Enabled: true })
}

/** A purchase on the card, as a terminal makes it: published code decides, and money is held. */
export async function swipe(
  lane: Lane,
  cardKey: string,
  purchase: PurchaseRequest,
  lens?: Lens,
): Promise<Decided> {
  const { body, runs } = await lane.control<{
    decision: 'approved' | 'declined'
    reason: string
    transaction: { id: string }
    executions: Execution[]
  }>('POST', `/_sandbox/cards/${cardKey}/transactions`, purchase, lens)
  const hooks = body.executions.map((execution, index) => hookRun(execution, runs[index]))
  return decidedOf(body.decision, body.reason, hooks, runs, body.transaction.id)
}

/** A simulation of code that need not be published: no money moves. */
export async function simulate(
  lane: Lane,
  cardKey: string,
  code: string,
  { centsAmount, currencyCode, merchant }: PurchaseRequest,
  lens?: Lens,
): Promise<Decided> {
  const { name, city, countryCode, categoryCode } = merchant
  const body = {
    simulationcode: code,
    centsAmount,
    ...(currencyCode !== undefined && { currencyCode }),
    ...(name !== undefined && { merchantName: name }),
    ...(city !== undefined && { merchantCity: city }),
    ...(countryCode !== undefined && { countryCode }),
    ...(categoryCode !== undefined && { merchantCode: categoryCode }),
  }
  const answered = await lane.service<{ result: Execution[] }>(
    'POST',
    `/za/v1/cards/${cardKey}/code/execute`,
    body,
    lens,
  )
  const hooks = answered.body.result.map((execution, index) => hookRun(execution, answered.runs[index]))
  const approved = answered.body.result[0]!.authorizationApproved === true
  return decidedOf(
    approved ? 'approved' : 'declined',
    approved ? 'approved' : 'declined-by-code',
    hooks,
    answered.runs,
    null,
  )
}

/** The hooks after a reversal or an adjustment of a purchase. */
export async function change(
  lane: Lane,
  transactionId: string,
  task: { readonly reverse: true } | { readonly adjust: number },
  lens?: Lens,
): Promise<{ readonly hooks: readonly HookRun[]; readonly sent: readonly ObservedCall[] }> {
  const path = `/_sandbox/transactions/${transactionId}/${'adjust' in task ? 'adjust' : 'reverse'}`
  const body = 'adjust' in task ? { centsAmount: task.adjust } : undefined
  const answered = await lane.control<{ executions: Execution[] }>('POST', path, body, lens)
  const hooks = answered.body.executions.map((execution, index) => hookRun(execution, answered.runs[index]))
  return { hooks, sent: answered.runs.flatMap(({ calls }) => calls) }
}

function decidedOf(
  decision: Decision['decision'],
  reason: string,
  hooks: readonly HookRun[],
  runs: readonly ObservedRun[],
  transactionId: string | null,
): Decided {
  // When code fails and the bank approves, report the failure, not the approval.
  const code = hooks.find(({ hook }) => hook === 'beforeTransaction')?.failure?.code
  return {
    decision: { decision, reason: code === undefined ? reason : reasons[code]!, hooks, transactionId },
    sent: runs.flatMap(({ calls }) => calls),
  }
}

function hookRun(execution: Execution, run: ObservedRun | undefined): HookRun {
  const hook = hookOf(execution.type)
  const { Error: error } = execution
  const startedMs = Date.parse(execution.startedAt)
  const isDecision = hook === 'beforeTransaction' && error === null
  return {
    hook,
    returned: isDecision ? execution.authorizationApproved : null,
    usedMs: Date.parse(execution.completedAt) - startedMs,
    windowMs: run?.windowMs ?? 2_000,
    logs: (run?.outcome.logs ?? []).map(({ atMs, level, content }) => ({
      atMs: atMs - startedMs,
      level,
      text: content,
    })),
    calls: (run?.outcome.outbound ?? []).map((call, index) => ({
      atMs: call.atMs - startedMs,
      method: call.method,
      url: keptAddress(call.url),
      status: call.status,
      ms: call.ms,
      error: call.error?.replaceAll(call.url, keptAddress(call.url)) ?? null,
      answeredBy: run!.calls[index]?.answeredBy ?? 'network',
    })),
    failure: error && failureOf(error),
  }
}

function failureOf({ code, name, message, stack, line }: NonNullable<Execution['Error']>): Failure {
  const [, at, column] = /main\.js:(\d+):(\d+)/.exec(stack) ?? []
  const known = line ?? (at === undefined ? null : Number(at))
  return {
    code,
    name,
    message,
    line: known,
    column: column !== undefined && Number(at) === known ? Number(column) : null,
  }
}

/** Whether a decision shows failed code: a missing optional hook is not a failure. */
export const isFailed = ({ hooks }: Decision): boolean => hooks.some(hasFailed)

/** afterTransaction may be missing: the bank reports it, but it decides nothing. */
export const hasFailed = ({ hook, failure }: HookRun): boolean =>
  failure !== null && (failure.code !== 'missing-hook' || hook === 'beforeTransaction')
