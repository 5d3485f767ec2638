// Expectations about a sandbox, for Jest and Vitest alike: each says what was expected, and what came instead.

import type { Execution } from './bank/card-records.js'
import type { Balance } from './bank/records.js'
import { callRecord, differences, type CallQuery, type CallRecord } from './call-record.js'
import type { LocalSandbox } from './local-sandbox.js'

/** How many calls are expected: exactly, or within bounds; at least one when nothing is said. */
export interface Times {
  readonly times?: number
  readonly atLeast?: number
  readonly atMost?: number
}

/** An amount in rand: the current balance, or each of two. */
export type ExpectedBalance = number | { readonly current?: number; readonly available?: number }

/** What a matcher finds. */
export interface Verdict {
  readonly pass: boolean
  readonly message: () => string
}

/** The matchers as `expect` has them. `R` is what an expectation returns. */
export interface SandboxMatchers<R = unknown> {
  /** The sandbox was asked this: `expect(sandbox).toHaveReceived({ method: 'POST', path: '/za/**' }, { times: 1 })`. */
  toHaveReceived(match: CallQuery, times?: Times): R
  /** A card transaction was approved; of a simulation, that its `beforeTransaction` said so. */
  toApprove(): R
  /** A card transaction was declined. */
  toDecline(): R
  /** Card code logged a text that contains this one, or that fits the expression. */
  toHaveLogged(expected: string | RegExp): R
  /** A balance, in rand. */
  toHaveBalance(expected: ExpectedBalance): R
}

const verdict = (pass: boolean, message: string): Verdict => ({ pass, message: () => message })

function toHaveReceived(
  received: unknown,
  match: CallQuery,
  { times, atLeast, atMost }: Times = {},
): Verdict {
  const { core } = received as LocalSandbox
  const calls = core.main.journal.entries.map((entry) => callRecord(entry, core.main.name))
  const found = calls.filter((call) => differences(call, match).length === 0).length
  const least = times ?? atLeast ?? (atMost === undefined ? 1 : 0)
  const most = times ?? atMost ?? Infinity
  const bounds = least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`
  return verdict(
    found >= least && found <= most,
    [
      `Expected ${bounds} calls like ${JSON.stringify(match)}; there were ${found}, of ${calls.length} calls:`,
      ...calls.slice(-10).map((call) => `  ${callText(call)}`),
    ].join('\n'),
  )
}

const callText = ({ method, path, status }: CallRecord): string => `${method} ${path} → ${status}`

/** What was decided, by a card transaction, a simulation (its executions), or the answer that holds one of them. */
function decisionOf(run: unknown): 'approved' | 'declined' | undefined {
  const { decision } = Object(run) as { decision?: 'approved' | 'declined' }
  if (decision !== undefined) return decision
  const before = executionsOf(run)?.find(({ type }) => type === 'before_transaction')
  if (typeof before?.authorizationApproved !== 'boolean') return undefined
  return before.authorizationApproved ? 'approved' : 'declined'
}

/** The executions in an answer: a list, or under `executions`, `result`, `executionItems` or `data`. */
function executionsOf(run: unknown): readonly Execution[] | undefined {
  if (Array.isArray(run)) return run as Execution[]
  const members = Object(run) as Record<string, unknown>
  for (const name of ['executions', 'executionItems', 'result', 'data'])
    if (members[name] !== undefined) return executionsOf(members[name])
  return undefined
}

const decides =
  (wanted: 'approved' | 'declined') =>
  (run: unknown): Verdict => {
    const decision = decisionOf(run)
    const { reason } = Object(run) as { reason?: string }
    const cause = reason === undefined || reason === decision ? '' : ` (${reason})`
    const logs = (executionsOf(run) ?? []).flatMap((each) => [
      ...each.logs.map(({ level, content }) => `  ${each.type} ${level}: ${content}`),
      ...(each.Error ? [`  ${each.type} error: ${JSON.stringify(each.Error)}`] : []),
    ])
    const was = decision === undefined ? 'nothing that was decided' : `${decision}${cause}`
    return verdict(
      decision === wanted,
      [`Expected a transaction to be ${wanted}; it was ${was}.`, ...logs].join('\n'),
    )
  }

function toHaveLogged(run: unknown, expected: string | RegExp): Verdict {
  const logged = (executionsOf(run) ?? []).flatMap(({ logs }) => logs.map(({ content }) => content))
  const fits = (text: string): boolean =>
    typeof expected === 'string' ? text.includes(expected) : text.search(expected) >= 0
  return verdict(
    logged.some(fits),
    [`Expected card code to log ${String(expected)}; it logged:`, ...logged.map((text) => `  ${text}`)].join(
      '\n',
    ),
  )
}

function toHaveBalance(received: unknown, expected: ExpectedBalance): Verdict {
  const answer = Object(received) as { data?: Partial<Balance> } & Partial<Balance>
  const { currentBalance, availableBalance } = answer.data ?? answer
  const { current, available } =
    typeof expected === 'number' ? { current: expected } : { available: undefined, ...expected }
  return verdict(
    currentBalance !== undefined &&
      (current === undefined || current === currentBalance) &&
      (available === undefined || available === availableBalance),
    `Expected a balance of ${JSON.stringify(expected)} rand; it is ${JSON.stringify({ currentBalance, availableBalance })}.`,
  )
}

/** The matchers, for `expect.extend`. */
export const matchers = {
  toHaveReceived,
  toApprove: decides('approved'),
  toDecline: decides('declined'),
  toHaveLogged,
  toHaveBalance,
}
