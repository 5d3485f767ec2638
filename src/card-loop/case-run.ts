// Runs cases, each on a fresh bank, several side by side, and compares the results with the expectations.

import { availableParallelism } from 'node:os'
import { fromRand } from '../bank/money.js'
import { matchesOutbound } from '../faults/outbound-stubs.js'
import { monotonicMs } from '../determinism/clock.js'
import { containsJson, jsonOrText } from '../protocol/json.js'
import { BankUnderTest, type Lane, type Lens, type ObservedCall } from './bank-under-test.js'
import type { CardFile } from './card-file.js'
import type { Case, CaseFile, CaseStep } from './case-file.js'
import type { CallExpectationBody, ExpectedFields } from './case-schema.js'
import { cardOf, change, type Decision, hasFailed, type HookRun, install, swipe } from './decision.js'
import { accountOf, availableCents, prepare } from './run.js'
import { rand } from './amounts.js'

/** A difference between the expected and the actual result. */
interface Mismatch {
  readonly what: string
  readonly expected: string
  readonly got: string
}

export interface StepResult {
  readonly step: CaseStep
  readonly decision: Decision
  /** Hooks of the reversal or adjustment of the purchase. */
  readonly later: readonly HookRun[]
  readonly mismatches: readonly Mismatch[]
}

export interface CaseResult {
  readonly case: Case
  /** `new`: there is no `expect` to compare with. */
  readonly status: 'passed' | 'failed' | 'new'
  readonly steps: readonly StepResult[]
  /** Real time. */
  readonly ms: number
}

/** Open banks, so that several runs of the same cases share them. */
export class CaseRunner {
  readonly #banks = new Map<string, Promise<BankUnderTest>>()

  /** The results, in the order of the cases. Rejects with a LoopError when the bank refuses the content of the file. */
  async run(
    file: CaseFile,
    card: CardFile,
    cases: readonly Case[] = file.cases,
    lens?: Lens,
    tell: (result: CaseResult) => void = () => undefined,
  ): Promise<CaseResult[]> {
    const bank = await this.#bank(file)
    const results: CaseResult[] = []
    // Another bank costs less than a twentieth of a second, a case a few milliseconds.
    const lanes = Math.max(1, Math.min(availableParallelism(), Math.ceil(cases.length / 20)))
    let next = 0
    const work = async (number: number): Promise<void> => {
      const lane = await bank.lane(number)
      for (let index = next++; index < cases.length; index = next++) {
        const result = await runCase(lane, file, card, cases[index]!, lens)
        results[index] = result
        tell(result)
      }
    }
    await Promise.all(Array.from({ length: lanes }, (_, number) => work(number)))
    return results
  }

  #bank({ bank }: CaseFile): Promise<BankUnderTest> {
    const key = JSON.stringify(bank)
    let open = this.#banks.get(key)
    if (!open) this.#banks.set(key, (open = BankUnderTest.open(bank)))
    return open
  }

  async close(): Promise<void> {
    const banks = await Promise.allSettled(this.#banks.values())
    for (const bank of banks) if (bank.status === 'fulfilled') await bank.value.close()
  }
}

async function runCase(
  lane: Lane,
  { card: asked, network }: CaseFile,
  { code }: CardFile,
  each: Case,
  lens: Lens | undefined,
): Promise<CaseResult> {
  const began = monotonicMs()
  await lane.reset()
  if (each.nowMs !== undefined)
    await lane.control('POST', '/_sandbox/clock', { set: new Date(each.nowMs).toISOString() })
  await prepare(lane, { stubs: each.stubs, network })
  const cardKey = await cardOf(lane, asked)
  await install(lane, cardKey, { code, variables: each.variables })
  const accountId = await accountOf(lane, cardKey)
  const steps: StepResult[] = []
  for (const step of each.steps) {
    if (step.advance !== undefined) await lane.control('POST', '/_sandbox/clock', { advance: step.advance })
    const needsBalance = step.expect?.available !== undefined || step.expect?.held !== undefined
    const before = needsBalance ? await availableCents(lane, accountId) : 0
    const { decision, sent } = await swipe(lane, cardKey, step.purchase, lens)
    const { hooks: later, sent: more } = await follow(lane, step, decision, lens)
    const after = needsBalance ? await availableCents(lane, accountId) : 0
    const calls = [...sent, ...more]
    const mismatches = step.expect ? mismatchesOf(step.expect, { decision, later, calls, before, after }) : []
    steps.push({ step, decision, later, mismatches })
  }
  const failed = steps.some(
    ({ step, decision, mismatches }) => mismatches.length > 0 || (!step.expect && isBroken(decision)),
  )
  const isNew = !failed && steps.some(({ step }) => !step.expect)
  return {
    case: each,
    status: failed ? 'failed' : isNew ? 'new' : 'passed',
    steps,
    ms: monotonicMs() - began,
  }
}

const isBroken = ({ hooks }: Decision): boolean => hooks.some(hasFailed)

async function follow(
  lane: Lane,
  { then }: CaseStep,
  { decision, transactionId }: Decision,
  lens: Lens | undefined,
): Promise<{ readonly hooks: readonly HookRun[]; readonly sent: readonly ObservedCall[] }> {
  const nothing = { hooks: [], sent: [] }
  if (then === undefined || decision === 'declined') return nothing
  if (then === 'settle') {
    await lane.control('POST', `/_sandbox/transactions/${transactionId!}/settle`)
    return nothing
  }
  const task = then === 'reverse' ? ({ reverse: true } as const) : { adjust: fromRand(then.adjust) }
  return change(lane, transactionId!, task, lens)
}

interface Seen {
  readonly decision: Decision
  readonly later: readonly HookRun[]
  readonly calls: readonly ObservedCall[]
  readonly before: number
  readonly after: number
}

function mismatchesOf(expect: ExpectedFields, seen: Seen): Mismatch[] {
  const hooks = [...seen.decision.hooks, ...seen.later]
  return [
    ...decisionMismatches(expect, seen.decision, hooks),
    ...logMismatches(expect, hooks),
    ...(typeof expect.calls === 'number'
      ? difference('calls', String(expect.calls), String(seen.calls.length))
      : (expect.calls ?? []).flatMap((call) => callMismatches(call, seen.calls))),
    ...limitMismatches(expect, seen),
  ]
}

const difference = (what: string, expected: string, got: string): Mismatch[] =>
  expected === got ? [] : [{ what, expected, got }]

function decisionMismatches(
  expect: ExpectedFields,
  { decision, reason }: Decision,
  hooks: readonly HookRun[],
): Mismatch[] {
  const found: Mismatch[] = []
  const failure = hooks.find(hasFailed)?.failure?.code
  if (expect.decision !== undefined && decision !== expect.decision) {
    const got = failure === undefined ? decision : `${decision}, since the code failed: ${reason}`
    found.push({ what: 'decision', expected: expect.decision, got })
  }
  if (expect.reason !== undefined) found.push(...difference('reason', expect.reason, reason))
  if (expect.failure === true)
    found.push(...difference('failure', 'the code fails', failure ? 'the code fails' : 'none'))
  else if (expect.failure !== undefined && expect.failure !== false)
    found.push(...difference('failure', expect.failure, failure ?? 'none'))
  // Code that fails approves: a case that expects approval must not pass by it.
  else if (failure !== undefined && found.length === 0 && expect.reason === undefined)
    found.push({ what: 'failure', expected: 'none', got: failure })
  return found
}

function logMismatches({ log }: ExpectedFields, hooks: readonly HookRun[]): Mismatch[] {
  const lines = hooks.flatMap((hook) => hook.logs.map(({ text }) => text))
  const wanted = log === undefined ? [] : [log].flat()
  return wanted
    .filter((text) => !lines.some((line) => line.includes(text)))
    .map((text) => ({
      what: 'log',
      expected: `a line with ${JSON.stringify(text)}`,
      got: lines.length === 0 ? 'no line' : `${lines.length} other lines`,
    }))
}

/** Time and money. */
function limitMismatches(
  { withinMs, available, held }: ExpectedFields,
  { decision, before, after }: Seen,
): Mismatch[] {
  const found: Mismatch[] = []
  const used = decision.hooks.find(({ hook }) => hook === 'beforeTransaction')?.usedMs ?? 0
  if (withinMs !== undefined && used > withinMs)
    found.push({ what: 'withinMs', expected: `at most ${withinMs} ms`, got: `${used} ms` })
  if (available !== undefined) found.push(...difference('available', rand(fromRand(available)), rand(after)))
  if (held !== undefined) found.push(...difference('held', rand(fromRand(held)), rand(before - after)))
  return found
}

function callMismatches(
  { match = {}, times = 1, body }: CallExpectationBody,
  calls: readonly ObservedCall[],
): Mismatch[] {
  const about = `calls of ${[match.method, match.url].filter(Boolean).join(' ') || 'anything'}`
  const fitting = calls.filter((call) => matchesOutbound(call, match))
  if (fitting.length !== times) return [{ what: about, expected: String(times), got: String(fitting.length) }]
  if (body === undefined) return []
  const wrong = fitting.find((call) => !hasBody(call.body, body))
  if (!wrong) return []
  return [{ what: `body of ${about}`, expected: JSON.stringify(body), got: wrong.body.slice(0, 500) }]
}

function hasBody(sent: string, expected: unknown): boolean {
  if (typeof expected === 'string') return sent.includes(expected)
  return containsJson(jsonOrText(sent), expected)
}
