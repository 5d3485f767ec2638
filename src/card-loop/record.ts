// `card record`: executions of a running sandbox become cases, so that a failure seen once becomes a test.

import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { numberOf, textOf, type Arguments } from './arguments.js'
import { LoopError } from './loop-error.js'
import type { Output } from './output.js'
import { type PurchaseRequest, purchaseOfDocument } from './purchase.js'
import { loggedArguments } from './recorded.js'
import { RemoteSandbox } from './remote-sandbox.js'
import { counted } from './show.js'

/** What a case file is made of, in the order of its keys. */
type Written = Record<string, unknown>

/** Runs the command; the exit code. Rejects with a {@link LoopError}. */
export async function record({ flags }: Arguments, { print, directory }: Output): Promise<number> {
  const server = textOf(flags, 'server')
  if (server === undefined)
    throw new LoopError('card record needs --server URL, such as --server http://127.0.0.1:3300.')
  const last = numberOf(flags, 'last', 1, 100) ?? 20
  const out = textOf(flags, 'out') ?? 'recorded.card.test.yaml'
  const target = resolve(directory, out)
  if (existsSync(target)) throw new LoopError(`${out} is there already; name another one with --out FILE.`)
  const remote = await RemoteSandbox.open(server, textOf(flags, 'control-token'))
  const asked = textOf(flags, 'card')
  const cards = (await remote.cards()).filter((card) => asked === undefined || card === asked)
  if (cards.length === 0)
    throw new LoopError(`${server} has no programmable card${asked === undefined ? '' : ` ${asked}`}.`)
  const found: Recorded[] = []
  for (const card of cards) found.push(...(await recordedOf(remote, card)))
  const newest = found.sort((a, b) => (a.at < b.at ? -1 : 1)).slice(-last)
  if (newest.length === 0)
    throw new LoopError(
      'No execution there logs the argument of its hook: put console.log(authorization) into beforeTransaction, and use the card again.',
    )
  const { writeYaml } = await import('../scenario/yaml-text.js')
  writeFileSync(target, writeYaml(fileOf(newest, dirname(target))))
  print(`Wrote ${counted(newest.length, 'case')} to ${out}.`)
  return 0
}

interface Recorded {
  readonly at: string
  readonly purchase: PurchaseRequest
  readonly approved: boolean
  readonly failure: string | undefined
  readonly calls: readonly {
    readonly method: string
    readonly url: string
    readonly status: number | null
    readonly ms: number
  }[]
}

async function recordedOf(remote: RemoteSandbox, card: string): Promise<Recorded[]> {
  const executions = await remote.executions(card)
  const calls = await remote.outbound(card)
  return loggedArguments(executions).flatMap(({ executionId, type, createdAt, argument }) => {
    if (type !== 'before_transaction') return []
    const execution = executions.find((each) => each.executionId === executionId)!
    return [
      {
        at: createdAt,
        purchase: purchaseOfDocument(argument, `Execution ${executionId}`),
        approved: execution.authorizationApproved === true,
        failure: execution.Error?.code,
        calls: calls.filter((call) => call.executionId === executionId),
      },
    ]
  })
}

/** The test file: what was bought, what was decided, and a stub for each call with the status that came. */
function fileOf(recorded: readonly Recorded[], directory: string): Written {
  const cases: Written = {}
  for (const { at, purchase, approved, failure, calls } of recorded) {
    const { centsAmount, currencyCode, merchant } = purchase
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
      },
      ...(calls.length > 0 && { stubs: calls.map((call) => stubOf(call)) }),
      expect: {
        decision: approved ? 'approved' : 'declined',
        ...(failure !== undefined && { failure }),
        calls: calls.length,
      },
    }
  }
  const hasVariables = existsSync(join(directory, 'env.json'))
  return { code: 'main.js', ...(hasVariables && { env: 'env.json' }), cases }
}

/** The bank keeps no bodies, so the stub has none: fill it in where the code reads it. */
function stubOf({ method, url, status, ms }: Recorded['calls'][number]): Written {
  // A masked value stands for any.
  const pattern = url.replaceAll('***', '**')
  return {
    match: { method, url: pattern },
    respond:
      status === null
        ? { delayMs: 20_000 }
        : { status, json: {}, ...(ms > 0 && { delayMs: Math.min(ms, 60_000) }) },
  }
}

function freeName(cases: Written, name: string): string {
  let free = name
  for (let count = 2; free in cases; count++) free = `${name} (${count})`
  return free
}
