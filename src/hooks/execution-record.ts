// An execution as it is stored: what a hook logged, what it called, and what went wrong. Secrets are masked here.

import type { ExecutionError, ListedExecution, OutboundCallRecord } from '../bank/cards/card-records.js'
import type { ExecutionType } from '../bank/cards/hook-names.js'
import type { ExecutionRecord } from '../bank/cards/cards.js'
import type { Outcome } from '../card-code/host/runner.js'
import { keptAddress } from '../protocol/redaction.js'

/** The outcome of a run, or of a hook that could not run at all. */
export type HookOutcome = Omit<Outcome, 'end'> & { end: Outcome['end'] | 'not-run' }

/** Which hook ran, and for which transaction. */
export interface ExecutionSubject {
  readonly executionId: string
  readonly rootCodeFunctionId: string
  readonly type: ExecutionType
  readonly hook: string
  readonly cardKey: string
  readonly sandbox: boolean
}

export const iso = (ms: number): string => new Date(ms).toISOString()

/** The execution of a hook; `approved` is null for every hook but beforeTransaction. */
export function executionOf(
  subject: ExecutionSubject,
  outcome: HookOutcome,
  approved: boolean | null,
): ExecutionRecord {
  const { executionId, rootCodeFunctionId, sandbox, type } = subject
  const started = iso(outcome.startedMs)
  const execution: ListedExecution = {
    executionId,
    rootCodeFunctionId,
    sandbox,
    type,
    authorizationApproved: approved,
    logs: outcome.logs.map(({ atMs, level, content }) => ({ createdAt: iso(atMs), level, content })),
    smsCount: 0,
    emailCount: 0,
    pushNotificationCount: 0,
    createdAt: started,
    startedAt: started,
    completedAt: iso(outcome.completedMs),
    updatedAt: started,
  }
  const outbound = outcome.outbound.map((call) => outboundOf(subject, call))
  return { execution, error: errorOf(subject, outcome), outbound }
}

function errorOf(
  { hook }: ExecutionSubject,
  { end, error, value, returnedType, ...outcome }: HookOutcome,
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

/** `an object`, `a string`, `undefined`. */
const articled = (type: string): string =>
  type === 'undefined' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

/** The call as it is stored, without the secrets of its address. */
function outboundOf(
  { executionId, type, cardKey, sandbox }: ExecutionSubject,
  call: Outcome['outbound'][number],
): OutboundCallRecord {
  const url = keptAddress(call.url)
  return {
    executionId,
    cardKey,
    type,
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

/** An execution in the answer of a simulation or a card transaction. */
export const executionOnWire = ({ execution, error }: ExecutionRecord) => ({ ...execution, Error: error })
