// Matchers for Jest and Vitest: each says what was expected, and what it got instead.

import type { Execution } from '../bank/cards/card-records.js'
import type { Balance } from '../bank/records.js'
import { callRecord, CallQuery, differences, type CallRecord } from '../journal/call-record.js'
import { Count, countErrors, isWithin, wanted, type Counts } from '../journal/expectation.js'
import type { LocalSandbox } from '../node-api/local-sandbox.js'
import { isJsonObject } from '../protocol/json.js'
import type { DecisionOptions, ExpectedBalance } from './matcher-types.js'
import type { Schema } from '../protocol/schema.js'

/** The result of a matcher. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

const resultOf = (pass: boolean, message: string): MatcherResult => ({ pass, message: () => message })

/** Thrown, so that `.not` does not pass either: there is no result to judge. */
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

/** Refuses members that the schema does not have, or with another type: `{ pth: '/za/**' }` would match every call. */
function checkMembers(given: unknown, name: string, { properties = {} }: Schema): void {
  if (!isJsonObject(given))
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
  const errors = countErrors(count)
  if (errors.length > 0)
    refuse(errors.map(({ path, message }) => `${path.split('/').at(-1)} ${message}.`).join(' '))
}

function toHaveReceived(received: unknown, match: CallQuery, count: Counts = { atLeast: 1 }): MatcherResult {
  const { core } = Object(received) as Partial<LocalSandbox>
  if (typeof core !== 'object') return refuseReceived(received, 'toHaveReceived takes a sandbox')
  checkMembers(match, 'match', CallQuery)
  checkCount(count)
  const calls = core.main.journal.entries.map((entry) => callRecord(entry, core.main.name))
  const found = calls.filter((call) => differences(call, match).length === 0).length
  const pass = isWithin(found, count)
  const bounds = wanted(count)
  return resultOf(
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
 * The decision of a card transaction, a simulation (its executions), or an answer that contains one of them;
 * undefined when the code made no decision. Throws when it is none of these.
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

/** The executions that failed. The hooks after a decision are optional. */
const failedOf = (executions: readonly Execution[]): Execution[] =>
  executions.filter(
    ({ type, Error: error }) => error && !(error.code === 'missing-hook' && type !== 'before_transaction'),
  )

/** `before_transaction timed-out, TypeError: x is not a function (main.js:3)`. */
function failureText({ type, Error: error }: Execution): string {
  const { code, name, message, line } = error!
  return `  ${type} ${code}, ${name}: ${message}${line === null ? '' : ` (main.js:${line})`}`
}

const logTexts = (executions: readonly Execution[]): string[] =>
  executions.flatMap((each) => [
    ...each.logs.map(({ level, content }) => `  ${each.type} ${level}: ${content}`),
    ...(each.Error ? [failureText(each)] : []),
  ])

/** Throws, also with `.not`, when a hook failed: the settings then decided, which says nothing about the code. */
function refuseFailed(executions: readonly Execution[], expected: Decision, was: string): void {
  if (failedOf(executions).length === 0) return
  const lines = [
    `Expected card code to decide (${expected}), but a hook failed; ${was}.`,
    ...logTexts(executions),
    'To accept what the settings decide when a hook fails, pass { despiteError: true }.',
  ]
  throw new Error(lines.join('\n'))
}

const decides =
  (matcher: string, expected: Decision) =>
  (run: unknown, options: DecisionOptions = {}): MatcherResult => {
    checkDecisionOptions(matcher, options)
    const decision = decisionOf(run, matcher)
    const { reason } = Object(run) as { reason?: string }
    const cause = reason === undefined || reason === decision ? '' : ` (${reason})`
    const executions = executionsOf(run) ?? []
    const pass = decision === expected
    const was = decision === undefined ? 'its code did not decide' : `it was ${decision}${cause}`
    if (options.despiteError !== true) refuseFailed(executions, expected, was)
    return resultOf(
      pass,
      [
        `Expected a transaction ${pass ? 'not ' : ''}to be ${expected}; ${was}.`,
        ...logTexts(executions),
      ].join('\n'),
    )
  }

function checkDecisionOptions(matcher: string, options: unknown): void {
  const { despiteError, ...others } = Object(options) as { despiteError?: unknown }
  const isRight = despiteError === undefined || typeof despiteError === 'boolean'
  if (options !== Object(options) || !isRight || Object.keys(others).length > 0)
    refuse(`${matcher} takes { despiteError: true or false }, not ${shown(options)}.`)
}

function toHaveRunCleanly(run: unknown): MatcherResult {
  const executions = executionsOf(run)
  if (!executions) return refuseReceived(run, 'toHaveRunCleanly takes a card transaction or executions')
  if (executions.length === 0) refuse('toHaveRunCleanly: no hook ran; publish code and switch it on first.')
  const pass = failedOf(executions).length === 0
  const expected = pass ? 'Expected a hook to fail; all ran cleanly' : 'Expected all hooks to run cleanly'
  return resultOf(pass, [`${expected}:`, ...logTexts(executions)].join('\n'))
}

function toHaveLogged(run: unknown, expected: string | RegExp): MatcherResult {
  if (typeof expected !== 'string' && Object.prototype.toString.call(expected) !== '[object RegExp]')
    refuse(`toHaveLogged expects a text or an expression, not ${shown(expected)}.`)
  const executions = executionsOf(run)
  if (!executions) return refuseReceived(run, 'toHaveLogged takes a card transaction or executions')
  const logged = executions.flatMap(({ logs }) => logs.map(({ content }) => content))
  const fits = (text: string): boolean =>
    typeof expected === 'string' ? text.includes(expected) : text.search(expected) >= 0
  const pass = logged.some(fits)
  const said = `Expected card code ${pass ? 'not ' : ''}to log ${String(expected)}`
  const failures = failedOf(executions).map(failureText)
  const failed = failures.length > 0 ? ['A hook failed:', ...failures] : []
  if (logged.length === 0) return resultOf(pass, [`${said}; it logged nothing.`, ...failed].join('\n'))
  return resultOf(pass, [`${said}; it logged:`, ...logged.map((text) => `  ${text}`), ...failed].join('\n'))
}

function toHaveBalance(received: unknown, expected: ExpectedBalance): MatcherResult {
  const wantedBalance = readExpected(expected)
  const answer = Object(received) as { data?: unknown }
  const { currentBalance, availableBalance } = Object(answer.data ?? answer) as Partial<Balance>
  if (typeof currentBalance !== 'number' || typeof availableBalance !== 'number')
    return refuseReceived(received, 'toHaveBalance takes a balance')
  const { current = currentBalance, available = availableBalance } = wantedBalance
  const pass = current === currentBalance && available === availableBalance
  return resultOf(
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
  toHaveRunCleanly,
  toHaveLogged,
  toHaveBalance,
}
