// `card record`: turns executions of a running sandbox into cases, so that a failure becomes a test.

import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { matchesOutbound, type OutboundStub, type StubReading } from '../faults/outbound-stubs.js'
import { numberOf, textOf, type Arguments } from './arguments.js'
import { LoopError } from './loop-error.js'
import { writeText, type Output } from './output.js'
import { type PurchaseRequest, purchaseOfDocument } from './purchase.js'
import { loggedArguments } from './recorded.js'
import { type RemoteCall, type RemoteExecution, RemoteSandbox } from './remote-sandbox.js'
import { counted } from './show.js'

/** The parts of a case file, in the order of its keys. */
type Written = Record<string, unknown>

/** Runs the command; returns the exit code. Rejects with a {@link LoopError}. */
export async function record({ flags }: Arguments, { print, directory }: Output): Promise<number> {
  const server = textOf(flags, 'server')
  if (server === undefined)
    throw new LoopError('card record needs --server URL, such as --server http://127.0.0.1:3300.')
  const last = numberOf(flags, 'last', 1, 100) ?? 20
  const out = textOf(flags, 'out') ?? 'recorded.card.test.yaml'
  const target = resolve(directory, out)
  if (existsSync(target)) throw new LoopError(`${out} exists already; name another one with --out FILE.`)
  const remote = await RemoteSandbox.open(server, textOf(flags, 'control-token'))
  const asked = textOf(flags, 'card')
  const cards = (await remote.cards()).filter((card) => asked === undefined || card === asked)
  if (cards.length === 0)
    throw new LoopError(`${server} has no programmable card${asked === undefined ? '' : ` ${asked}`}.`)
  const found: Recorded[] = []
  for (const card of cards) found.push(...(await transactionsOf(remote, card, last)))
  for (const card of cards) found.push(...(await simulationsOf(remote, card)))
  const newest = found.sort((a, b) => Number(a.at > b.at) - Number(a.at < b.at)).slice(-last)
  if (newest.length === 0)
    throw new LoopError(
      `No code ran there: use a card whose code is published. Of simulations only those are recorded whose code logs the argument of the hook, as console.log(authorization) does.`,
    )
  const stubs = await remote.stubs()
  const { writeYaml } = await import('../scenario/yaml-text.js')
  writeText(target, out, writeYaml(fileOf(newest, stubs, dirname(target))))
  print(`Wrote ${counted(newest.length, 'case')} to ${out}.`)
  const empty = newest.flatMap(({ calls }) => calls.filter((call) => !answerOf(call, stubs)))
  const urls = [...new Set(empty.map(({ method, url }) => `${method} ${url}`))]
  if (urls.length > 0)
    print(
      [
        'The bank keeps no bodies of answers. Fill in what your code reads of:',
        ...urls.map((url) => `  ${url}`),
      ].join('\n'),
    )
  return 0
}

/** A purchase that code decided, and its result. */
interface Recorded {
  readonly card: string
  readonly at: string
  readonly purchase: PurchaseRequest
  readonly decision: 'approved' | 'declined'
  /** How a hook failed: its code, or true when the bank does not say. */
  readonly failure: string | true | undefined
  readonly calls: readonly RemoteCall[]
  /** A test makes real purchases: other hooks than those of a simulation may run, and call. */
  readonly isSimulation: boolean
}

const hooksOfPurchase = ['before_transaction', 'after_transaction', 'after_decline']

/** The newest purchases on a card that its code decided. */
async function transactionsOf(remote: RemoteSandbox, card: string, last: number): Promise<Recorded[]> {
  const found: Recorded[] = []
  for (const { id } of await remote.transactions(card)) {
    if (found.length === last) break
    const { transaction, executions } = await remote.transaction(id)
    const hooks = executions.filter(({ type }) => hooksOfPurchase.includes(type))
    if (!hooks.some(({ type }) => type === 'before_transaction')) continue
    const { centsAmount, currencyCode, type, merchant, dateTime, decision } = transaction
    found.push({
      card,
      at: dateTime,
      purchase: { centsAmount, currencyCode, type, merchant },
      decision,
      failure: failureOf(hooks),
      calls: hooks.flatMap(({ outbound }) => outbound),
      isSimulation: false,
    })
  }
  // Several may have the same time: the oldest first.
  return found.reverse()
}

/** Hooks other than the deciding one may be missing. */
const failureOf = (hooks: readonly RemoteExecution[]): string | undefined =>
  hooks.find(
    ({ type, Error: error }) => error && (type === 'before_transaction' || error.code !== 'missing-hook'),
  )?.Error?.code

/** The simulations whose code logged its argument. */
async function simulationsOf(remote: RemoteSandbox, card: string): Promise<Recorded[]> {
  const executions = await remote.executions(card)
  const calls = await remote.outbound(card)
  return loggedArguments(executions).flatMap(({ executionId, type, createdAt, argument }) => {
    const execution = executions.find((each) => each.executionId === executionId)!
    if (type !== 'before_transaction' || !execution.sandbox) return []
    const all = executions.filter((each) => each.rootCodeFunctionId === execution.rootCodeFunctionId)
    const { authorizationApproved } = execution
    return [
      {
        card,
        at: createdAt,
        purchase: purchaseOfDocument(argument, `Execution ${executionId}`),
        decision: authorizationApproved === false ? 'declined' : 'approved',
        failure: authorizationApproved === null ? true : undefined,
        calls: calls.filter((call) => all.some((each) => each.executionId === call.executionId)),
        isSimulation: true,
      },
    ]
  })
}

/** The test file: the purchases, the decisions, and a stub for each call with its status. */
function fileOf(recorded: readonly Recorded[], stubs: readonly StubReading[], directory: string): Written {
  const cases: Written = {}
  for (const { at, purchase, decision, failure, calls, isSimulation } of recorded) {
    const { centsAmount, currencyCode, merchant, type } = purchase
    const name = `${at} ${merchant.name ?? 'purchase'}`
    cases[freeName(cases, name)] = {
      now: at,
      swipe: {
        cents: centsAmount,
        ...(merchant.categoryCode !== undefined && { category: merchant.categoryCode }),
        ...(merchant.name !== undefined && { merchant: merchant.name }),
        ...(merchant.city !== undefined && { city: merchant.city }),
        ...(merchant.countryCode !== undefined && { country: merchant.countryCode }),
        ...(currencyCode !== undefined && currencyCode.toLowerCase() !== 'zar' && { currency: currencyCode }),
        ...(type !== undefined && type !== 'purchase' && { type }),
      },
      ...(calls.length > 0 && { stubs: calls.map((call) => stubOf(call, calls, stubs)) }),
      expect: {
        decision,
        ...(failure !== undefined && { failure }),
        ...(!isSimulation && { calls: calls.length }),
      },
    }
  }
  const cards = new Set(recorded.map(({ card }) => card))
  const hasVariables = existsSync(join(directory, 'env.json'))
  return {
    code: 'main.js',
    ...(hasVariables && { env: 'env.json' }),
    ...(cards.size === 1 && { card: [...cards][0] }),
    cases,
  }
}

/** The answer of the sandbox's stub to such a call: the only body that is stored. */
const answerOf = (call: RemoteCall, stubs: readonly StubReading[]) =>
  stubs.find(({ match, applied }) => applied > 0 && matchesOutbound(call, match ?? {}))?.respond

function stubOf(call: RemoteCall, calls: readonly RemoteCall[], stubs: readonly StubReading[]): OutboundStub {
  const { method, url, status, ms } = call
  const known = answerOf(call, stubs)
  const isOneOfSeveral = calls.filter((each) => each.method === method && each.url === url).length > 1
  return {
    // A masked value stands for any.
    match: { method, url: url.replaceAll('***', '**') },
    respond:
      status === null
        ? { delayMs: 20_000 }
        : (known ?? { status, json: {}, ...(ms > 0 && { delayMs: Math.min(ms, 60_000) }) }),
    ...(isOneOfSeveral && { times: 1 }),
  }
}

function freeName(cases: Written, name: string): string {
  let free = name
  for (let count = 2; free in cases; count++) free = `${name} (${count})`
  return free
}
