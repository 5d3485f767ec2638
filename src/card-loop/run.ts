// `card run`: one purchase, the decision, and the steps that led to it.

import { fromRand } from '../bank/money.js'
import type { OutboundStub } from '../faults/outbound-stubs.js'
import { bankOptions, choiceOf, textOf, type Arguments } from './arguments.js'
import { BankUnderTest, type Lane } from './bank-under-test.js'
import { readCardFile, readJson, readVariables, type CardFile } from './card-file.js'
import { cardOf, type Decision, install, isFailed, simulate, swipe } from './decision.js'
import { LoopError } from './loop-error.js'
import type { Output } from './output.js'
import { categoryWarning, type PurchaseRequest, purchaseFrom, purchaseOfDocument } from './purchase.js'
import { recordedPurchase } from './recorded.js'
import { grouped, rand } from './amounts.js'
import { decisionLines } from './show.js'
import { readStubs } from './stub-file.js'

/** The effect of a real purchase on the account. */
export interface LedgerEffect {
  readonly accountId: string
  readonly transactionId: string
  readonly heldCents: number
  readonly availableBeforeCents: number
  readonly availableAfterCents: number
}

/** The output of `card run --json`. */
export interface RunDocument extends Decision {
  readonly file: string
  readonly purchase: PurchaseRequest
  readonly ledger: LedgerEffect | null
  readonly warnings: readonly string[]
  /** Whether the decision equals --expect; null without it. */
  readonly expected: boolean | null
  readonly failed: boolean
}

/** Runs the command; returns the exit code. Rejects with a {@link LoopError}. */
export async function run({ operands, flags }: Arguments, { print, directory }: Output): Promise<number> {
  const [file = 'main.js'] = operands
  const options = bankOptions(flags)
  const expected = choiceOf(flags, 'expect', ['approved', 'declined'])
  const network = choiceOf(flags, 'network', ['allow', 'loopback', 'deny']) ?? 'allow'
  const purchase = askedPurchase(flags, directory)
  const stubFile = textOf(flags, 'stubs')
  const stubs = stubFile === undefined ? [] : await readStubs(stubFile, directory)
  const variables = readVariables(textOf(flags, 'variables'), directory) ?? {}
  const [card, bank] = await Promise.all([readCardFile(file, directory), BankUnderTest.open(options)])
  try {
    const lane = await bank.lane(0)
    await prepare(lane, { stubs, network })
    const cardKey = await cardOf(lane, textOf(flags, 'card'))
    const program = { code: card.code, variables }
    await install(lane, cardKey, program)
    const { decision, ledger } =
      flags.real === true
        ? await realPurchase(lane, cardKey, purchase)
        : { decision: (await simulate(lane, cardKey, card.code, purchase)).decision, ledger: null }
    const warnings = [categoryWarning(purchase)].filter((warning) => warning !== undefined)
    const fits = expected === undefined ? null : expected === decision.decision
    const failed = isFailed(decision)
    const document: RunDocument = { file, purchase, ...decision, ledger, warnings, expected: fits, failed }
    if (flags.json === true) print(JSON.stringify(document, null, 2))
    else print(runText(document, card, expected).join('\n'))
    return failed || fits === false ? 1 : 0
  } finally {
    await bank.close()
  }
}

/** The stubs and the network policy. */
export async function prepare(
  lane: Lane,
  {
    stubs,
    network,
  }: { readonly stubs: readonly OutboundStub[]; readonly network: 'allow' | 'loopback' | 'deny' },
): Promise<void> {
  await lane.control('PUT', '/_sandbox/settings', { outbound: network })
  for (const stub of stubs) await lane.control('POST', '/_sandbox/outbound/stubs', stub)
}

function askedPurchase(flags: Arguments['flags'], directory: string): PurchaseRequest {
  const file = textOf(flags, 'purchase')
  const replay = textOf(flags, 'replay')
  if (file !== undefined && replay !== undefined)
    throw new LoopError('Give --purchase or --replay, not both.')
  const base =
    file !== undefined
      ? purchaseOfDocument(readJson(file, directory), file === '-' ? 'Standard input' : file)
      : replay !== undefined
        ? recordedPurchase(replay, directory)
        : undefined
  const parts = {
    rand: textOf(flags, 'rand'),
    cents: textOf(flags, 'cents'),
    category: textOf(flags, 'mcc'),
    merchant: textOf(flags, 'merchant'),
    city: textOf(flags, 'city'),
    country: textOf(flags, 'country'),
    currency: textOf(flags, 'currency'),
  }
  return purchaseFrom(parts, base, (part) => `--${part === 'category' ? 'mcc' : part}`)
}

async function realPurchase(
  lane: Lane,
  cardKey: string,
  purchase: PurchaseRequest,
): Promise<{ decision: Decision; ledger: LedgerEffect }> {
  const accountId = await accountOf(lane, cardKey)
  const availableBeforeCents = await availableCents(lane, accountId)
  const { decision } = await swipe(lane, cardKey, purchase)
  const availableAfterCents = await availableCents(lane, accountId)
  return {
    decision,
    ledger: {
      accountId,
      transactionId: decision.transactionId!,
      heldCents: decision.decision === 'approved' ? availableBeforeCents - availableAfterCents : 0,
      availableBeforeCents,
      availableAfterCents,
    },
  }
}

/** The account of a card. */
export async function accountOf(lane: Lane, cardKey: string): Promise<string> {
  const { cards } = (
    await lane.service<{ cards: { CardKey: string; AccountId: string }[] }>('GET', '/za/v1/cards')
  ).body
  return cards.find(({ CardKey }) => CardKey === cardKey)!.AccountId
}

export async function availableCents(lane: Lane, accountId: string): Promise<number> {
  const { body } = await lane.service<{ availableBalance: number }>(
    'GET',
    `/za/pb/v1/accounts/${accountId}/balance`,
  )
  return fromRand(body.availableBalance)
}

function runText(document: RunDocument, card: CardFile, expected: string | undefined): string[] {
  const { ledger, warnings, failed, decision } = document
  const lines = decisionLines(document, document.purchase, card)
  if (ledger)
    lines.push(
      ledger.heldCents > 0
        ? `ledger: ${rand(ledger.heldCents)} held on account ${ledger.accountId}, available ${rand(ledger.availableBeforeCents)} → ${rand(ledger.availableAfterCents)}`
        : `ledger: nothing held on account ${ledger.accountId}, available ${rand(ledger.availableAfterCents)}`,
    )
  if (card.bundled)
    lines.push(
      `bundle: ${grouped(card.code.length)} characters of ${card.files.length} files: ${card.files.join(', ')}`,
    )
  lines.push(...warnings.map((warning) => `warning: ${warning}`))
  if (failed && decision === 'approved') lines.push('The code failed, so the bank approves the purchase.')
  if (document.expected === false) lines.push(`Expected ${expected!}, got ${decision}.`)
  return lines
}
