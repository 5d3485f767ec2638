// Expectations about a sandbox, for Jest and Vitest alike: each says what was expected, and what came instead.

import type { Execution } from '../bank/cards/card-records.js'
import type { Balance } from '../bank/records.js'
import { callRecord, CallQuery, differences, type CallRecord } from '../journal/call-record.js'
import { checkCounts, Count, isWithin, wanted, type Counts } from '../journal/expectation.js'
import type { LocalSandbox } from '../node-api/local-sandbox.js'
import { Problem } from '../protocol/problem.js'
import type { Schema } from '../protocol/schema.js'

export type { Counts }

/** An amount in rand: the current balance, or each of two. */
export type ExpectedBalance = number | { readonly current?: number; readonly available?: number }

/** What a matcher finds. */
export interface Verdict {
  readonly pass: boolean
  readonly message: () => string
}

/** The matchers as `expect` has them. `R` is what an expectation returns. */
export interface SandboxMatchers<R = unknown> {
  /** The sandbox was asked this: `expect(sandbox).toHaveReceived({ method: 'POST', path: '/za/**' }, { exactly: 1 })`. */
  toHaveReceived(match: CallQuery, count?: Counts): R
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

/** Thrown, so that `.not` does not pass either: nothing is said about what is not there. */
const refuse = (detail: string): never => {
  throw new TypeError(detail)
}

const refuseReceived = (received: unknown, takes: string): never =>
  refuse(`${takes}, not ${shown(received)}.`)

function shown(value: unknown): string {
  if (typeof (Object(value) as { then?: unknown }).then === 'function')
    return 'a promise; await it: expect(await …)'
  if (typeof value === 'function') return 'a function'
  const text = jsonOf(value) ?? String(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return 'what cannot be shown'
  }
}

/** Refuses members that the schema does not have, or that are of another type: `{ pth: '/za/**' }` would fit every call. */
function checkMembers(given: unknown, name: string, { properties = {} }: Schema): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refuse(`The ${name} of toHaveReceived must be an object, not ${shown(given)}.`)
  for (const [member, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, member))
      refuse(
        `The ${name} of toHaveReceived has no '${member}'; known are ${Object.keys(properties).join(', ')}.`,
      )
    const { type, minimum = -Infinity } = properties[member]!
    const isRight =
      type === undefined ||
      value === undefined ||
      (type === 'integer' ? Number.isInteger(value) && (value as number) >= minimum : typeof value === type)
    if (!isRight || value === null)
      refuse(`The ${name} of toHaveReceived: ${member} cannot be ${shown(value)}.`)
  }
}

function checkCount(count: Counts): void {
  checkMembers(count, 'count', Count)
  if (Object.values(count).every((value) => value === undefined))
    refuse('The count of toHaveReceived must have one of exactly, atLeast, atMost.')
  try {
    checkCounts(count)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    refuse(error.more.errors!.map(({ path, message }) => `${path.split('/').at(-1)} ${message}.`).join(' '))
  }
}

function toHaveReceived(received: unknown, match: CallQuery, count: Counts = { atLeast: 1 }): Verdict {
  const { core } = Object(received) as Partial<LocalSandbox>
  if (typeof core !== 'object') return refuseReceived(received, 'toHaveReceived takes a sandbox')
  checkMembers(match, 'match', CallQuery)
  checkCount(count)
  const calls = core.main.journal.entries.map((entry) => callRecord(entry, core.main.name))
  const found = calls.filter((call) => differences(call, match).length === 0).length
  const pass = isWithin(found, count)
  const bounds = wanted(count)
  return verdict(
    pass,
    [
      `Expected ${pass ? 'not ' : ''}${bounds} ${bounds.endsWith(' 1') ? 'call' : 'calls'} like ${JSON.stringify(match)}; found ${found}, of ${calls.length} calls:`,
      ...calls.slice(-10).map((call) => `  ${callText(call)}`),
    ].join('\n'),
  )
}

const callText = ({ method, path, status }: CallRecord): string => `${method} ${path} → ${status}`

type Decision = 'approved' | 'declined'

/**
 * What was decided, by a card transaction, a simulation (its executions), or the answer that holds one of them; undefined
 * when its code has not decided. Throws when it is none of these.
 */
function decisionOf(run: unknown, matcher: string): Decision | undefined {
  const { decision } = Object(run) as { decision?: unknown }
  if (decision === 'approved' || decision === 'declined') return decision
  const executions = executionsOf(run)
  if (decision !== undefined || executions === undefined || executions.length === 0)
    return refuseReceived(run, `${matcher} takes a card transaction or a simulation`)
  const before = executions.find(({ type }) => type === 'before_transaction')
  if (typeof before?.authorizationApproved !== 'boolean') return undefined
  return before.authorizationApproved ? 'approved' : 'declined'
}

/** The executions in an answer: a list, or under `executions`, `result`, `executionItems` or `data`. */
function executionsOf(run: unknown): readonly Execution[] | undefined {
  if (Array.isArray(run)) return run.every(isExecution) ? run : undefined
  const members = Object(run) as Record<string, unknown>
  for (const name of ['executions', 'executionItems', 'result', 'data'])
    if (members[name] !== undefined) return executionsOf(members[name])
  return undefined
}

const isExecution = (value: unknown): value is Execution => {
  const { type, logs } = Object(value) as Partial<Execution>
  return typeof type === 'string' && Array.isArray(logs)
}

const decides =
  (matcher: string, expected: Decision) =>
  (run: unknown): Verdict => {
    const decision = decisionOf(run, matcher)
    const { reason } = Object(run) as { reason?: string }
    const cause = reason === undefined || reason === decision ? '' : ` (${reason})`
    const logs = (executionsOf(run) ?? []).flatMap((each) => [
      ...each.logs.map(({ level, content }) => `  ${each.type} ${level}: ${content}`),
      ...(each.Error ? [`  ${each.type} error: ${JSON.stringify(each.Error)}`] : []),
    ])
    const pass = decision === expected
    const was = decision === undefined ? 'its code did not decide' : `it was ${decision}${cause}`
    return verdict(
      pass,
      [`Expected a transaction ${pass ? 'not ' : ''}to be ${expected}; ${was}.`, ...logs].join('\n'),
    )
  }

function toHaveLogged(run: unknown, expected: string | RegExp): Verdict {
  if (typeof expected !== 'string' && Object.prototype.toString.call(expected) !== '[object RegExp]')
    refuse(`toHaveLogged expects a text or an expression, not ${shown(expected)}.`)
  const executions = executionsOf(run)
  if (!executions) return refuseReceived(run, 'toHaveLogged takes a card transaction or executions')
  const logged = executions.flatMap(({ logs }) => logs.map(({ content }) => content))
  const fits = (text: string): boolean =>
    typeof expected === 'string' ? text.includes(expected) : text.search(expected) >= 0
  const pass = logged.some(fits)
  const said = `Expected card code ${pass ? 'not ' : ''}to log ${String(expected)}`
  if (logged.length === 0) return verdict(pass, `${said}; it logged nothing.`)
  return verdict(pass, [`${said}; it logged:`, ...logged.map((text) => `  ${text}`)].join('\n'))
}

function toHaveBalance(received: unknown, expected: ExpectedBalance): Verdict {
  const wantedBalance = readExpected(expected)
  const answer = Object(received) as { data?: unknown }
  const { currentBalance, availableBalance } = Object(answer.data ?? answer) as Partial<Balance>
  if (typeof currentBalance !== 'number' || typeof availableBalance !== 'number')
    return refuseReceived(received, 'toHaveBalance takes a balance')
  const { current = currentBalance, available = availableBalance } = wantedBalance
  const pass = current === currentBalance && available === availableBalance
  return verdict(
    pass,
    `Expected a balance ${pass ? 'other than' : 'of'} ${JSON.stringify(expected)} rand; it is ${JSON.stringify({ currentBalance, availableBalance })}.`,
  )
}

function readExpected(expected: unknown): { readonly current?: number; readonly available?: number } {
  const { current, available, ...others } = (
    typeof expected === 'number' ? { current: expected } : Object(expected)
  ) as Record<string, unknown>
  const given = [current, available].filter((value) => value !== undefined)
  if (Object.keys(others).length > 0 || given.length === 0 || !given.every(Number.isFinite))
    refuse(`toHaveBalance expects rand, or { current, available }, not ${shown(expected)}.`)
  return { current, available } as { current?: number; available?: number }
}

/** The matchers, for `expect.extend`. */
export const matchers = {
  toHaveReceived,
  toApprove: decides('toApprove', 'approved'),
  toDecline: decides('toDecline', 'declined'),
  toHaveLogged,
  toHaveBalance,
}
