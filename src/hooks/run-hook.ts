// Runs one hook of a card, stores the execution, and decides by its outcome and the settings.

import type { Reason } from '../bank/cards/card-transaction-records.js'
import { hooks, type Hook } from '../bank/cards/hook-names.js'
import type { ExecutionRecord } from '../bank/cards/cards.js'
import type { Authorization } from '../bank/cards/hook-argument.js'
import type { Outcome } from '../card-code/host/runner.js'
import type { Context } from '../endpoint/endpoint.js'
import type { CardCodeOrigin } from '../protocol/call.js'
import type { Settings } from '../settings/settings.js'
import type { ExecutionScope } from '../workspace/executions.js'
import { executionOf, type HookOutcome } from './execution-record.js'
import { answerOwnAddress } from './own-address.js'

/** What hooks need of the call that triggers them; an endpoint's context has it. */
export type HookContext = Pick<
  Context<unknown, unknown, unknown>,
  'runner' | 'handle' | 'listensAt' | 'workspace' | 'bank' | 'call'
>

/**
 * Random values that are drawn for one execution before anything waits, so that simultaneous calls get the same ids
 * in every run.
 */
export interface ExecutionIds {
  readonly executionId: string
  readonly seed: number
}

/** Code and its variables. */
export interface Program {
  readonly source: string
  readonly variables: Readonly<Record<string, string>>
}

/** One hook to run. */
export interface HookRun extends Program {
  readonly hook: Hook
  readonly cardKey: string
  readonly rootCodeFunctionId: string
  readonly draw: ExecutionIds
  readonly sandbox: boolean
  /** The hook's argument for the instant (epoch ms) at which it starts. */
  readonly payload: (nowMs: number) => Authorization
  /** An after hook starts when the one before it has ended, even with a frozen clock. */
  readonly notBeforeMs?: number
  /** The hook is optional in main.js: without it there is no execution. */
  readonly optional?: boolean
}

/** The decision about a transaction, and why it was declined. */
interface HookDecision {
  readonly approved: boolean
  readonly reason: Reason
}

/** The result of a hook: the stored execution, and the decision that follows. */
export interface HookResult {
  /** Undefined when an optional hook is missing. */
  readonly execution: ExecutionRecord | undefined
  readonly completedMs: number
  /** Null for every hook but beforeTransaction. */
  readonly decision: HookDecision | null
}

/** Runs a hook for a call. `origin` marks the calls that the hook makes. */
export async function runHook(
  context: HookContext,
  { origin, signal, keep }: ExecutionScope & { readonly origin: CardCodeOrigin },
  run: HookRun,
): Promise<HookResult> {
  const { bank, workspace } = context
  const { clock } = bank
  const { settings } = workspace
  const { hook, source, variables, cardKey, draw } = run
  const { windowMs, type } = hooks[hook]
  const nowMs = Math.max(clock.now(), run.notBeforeMs ?? -Infinity)
  const own = answerOwnAddress({ ...context, cardCode: origin })
  let outcome: HookOutcome
  let settled: Promise<Outcome> | undefined
  try {
    const runner = await context.runner()
    const result = await runner.run({
      hook,
      source,
      variables,
      payload: run.payload(nowMs),
      windowMs,
      time: { nowMs, frozen: clock.frozen },
      seed: draw.seed,
      policy: settings.outbound,
      owner: { lane: workspace.name, card: cardKey },
      origin,
      signal,
      onComputed: (ms) => workspace.executions.quota?.computed(ms),
      answerOutbound: async (request, requestSignal) =>
        (await workspace.outboundStubs(request, requestSignal)) ?? (await own(request, requestSignal)),
    })
    ;({ outcome, settled } = result)
    // With a frozen clock, everything that the hook left running ends before the answer: otherwise the result would
    // depend on when it is read.
    if (clock.frozen) outcome = await settled
  } catch (error) {
    outcome = notRun(error, nowMs)
  }
  if (run.optional && outcome.end === 'missing-hook')
    return { execution: undefined, completedMs: outcome.completedMs, decision: null }
  const decision = hook === 'beforeTransaction' ? decisionOf(outcome, settings.hooks) : null
  const subject = { ...run, executionId: draw.executionId, type }
  const execution = executionOf(subject, outcome, decision?.approved ?? null)
  bank.cards.record(cardKey, execution)
  if (settled) {
    keep(settled)
    // What the hook left running continues. When the runner is closed it rejects, and nobody needs the result.
    settled.then(
      (whole) => {
        if (whole.logs.length !== outcome.logs.length || whole.outbound.length > 0) {
          bank.cards.complete(cardKey, executionOf(subject, whole, decision?.approved ?? null))
          workspace.events.countChange()
        }
      },
      () => undefined,
    )
  }
  return { execution, completedMs: outcome.completedMs, decision }
}

/** No thread was available, or the run was dropped: card code is not the cause. */
function notRun(error: unknown, nowMs: number): HookOutcome {
  const message = error instanceof Error ? error.message : String(error)
  const failure = { name: 'Error', message, stack: `Error: ${message}`, afterMs: 0 }
  const nothing = { value: undefined, returnedType: 'undefined', logs: [], outbound: [] }
  return { end: 'not-run', error: failure, ...nothing, startedMs: nowMs, completedMs: nowMs }
}

function decisionOf({ end, value, returnedType }: HookOutcome, policies: Settings['hooks']): HookDecision {
  if (end === 'returned' && returnedType === 'boolean')
    return { approved: value === true, reason: value === true ? 'approved' : 'declined-by-code' }
  const [policy, reason] = failurePolicy(end, policies)
  return policy === 'approve' ? { approved: true, reason: 'approved' } : { approved: false, reason }
}

function failurePolicy(
  end: HookOutcome['end'],
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
