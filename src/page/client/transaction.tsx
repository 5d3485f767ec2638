// One card transaction: everything that happened in it, as one timeline, and the possible actions.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { copy, perform, performUndoable } from './acts.js'
import { ask, type Answer } from './api.js'
import { controlCurl } from './curl.js'
import { fromRand, parseTypedRand } from '../../bank/money.js'
import { money, rand, reasonTexts, when } from './format.js'
import { HookSteps, Step, type Execution } from './hook-steps.js'
import { useLoad } from './load.js'
import { CopyButton, LoadError, Field, DecisionSign } from './parts.js'
import { fillFields, purchaseOf, typed, type CardSummary, type Purchase } from './purchase.js'
import { goTo, linkTo } from './route.js'
import { testCase } from './test-case.js'

type Detail = Answer<'GET', '/_sandbox/transactions/{id}'>

interface TransactionProps {
  readonly id: string
  readonly card: CardSummary
  readonly swipe: (purchase: Purchase) => Promise<void>
}

export function TransactionDetail({ id, card, swipe }: TransactionProps) {
  const { value, error, reload } = useLoad(
    async () => {
      const detail = await ask('GET', '/_sandbox/transactions/{id}', { params: { id } })
      const params = { cardkey: detail.transaction.cardKey }
      const program = card.IsProgrammable
        ? await ask('GET', '/_sandbox/cards/{cardkey}/program', { params })
        : undefined
      return { detail, code: program?.publishedCode ?? '' }
    },
    [id],
    ['card-transaction', 'execution', 'outbound', 'settlement', 'release'],
  )
  return (
    <section aria-label="Transaction" class="detail">
      <a class="back" href={linkTo('cards', [card.CardKey])}>
        Close
      </a>
      <LoadError error={error} retry={reload} />
      {value && (
        <Shown detail={value.detail} code={value.code} isProgrammable={card.IsProgrammable} swipe={swipe} />
      )}
    </section>
  )
}

interface ShownProps {
  readonly detail: Detail
  readonly code: string
  readonly isProgrammable: boolean
  readonly swipe: TransactionProps['swipe']
}

function Shown({ detail, code, isProgrammable, swipe }: ShownProps) {
  const { transaction, pending, entries } = detail
  const { decision, reason, merchant, centsAmount, currencyCode, randCents } = transaction
  return (
    <>
      <h2>
        <DecisionSign decision={decision} /> {merchant.name}{' '}
        <span class="amount">{money(centsAmount, currencyCode)}</span>
      </h2>
      <p class="why">
        {reasonTexts[reason] ?? reason} (<code>{reason}</code>)
      </p>
      <p class="facts">
        {when(transaction.dateTime)} · {merchant.city}, {merchant.countryCode} · category{' '}
        {merchant.categoryCode} · {transaction.type} · {transaction.id}
        {currencyCode !== 'ZAR' && <> · {rand(randCents)}</>}
      </p>
      <ol class="timeline" aria-label="Timeline">
        <BankCheck detail={detail} />
        {steps(detail, code)}
      </ol>
      <Acts
        transaction={transaction}
        isProgrammable={isProgrammable}
        isPending={pending !== null}
        isMoved={pending !== null || entries.length > 0}
        swipe={swipe}
        detail={detail}
      />
    </>
  )
}

/** The bank's checks before any code runs. */
function BankCheck({ detail: { transaction, cardStatus, availableCents } }: { detail: Detail }) {
  const { reason } = transaction
  const isRefused = reason === 'card-disabled' || reason === 'insufficient-funds'
  return (
    <Step at="bank" isBad={isRefused}>
      {reason === 'card-disabled'
        ? `The card was not active; it is ${cardStatus} now.`
        : reason === 'insufficient-funds'
          ? `Not enough money for ${rand(transaction.randCents)}; ${rand(availableCents)} available now.`
          : `Card active, enough money for ${rand(transaction.randCents)}.`}
    </Step>
  )
}

/** The decision comes after the hook that decides, before the after hooks. */
function steps(detail: Detail, code: string): ComponentChildren[] {
  const { executions, transaction } = detail
  const link = (line: number): string => linkTo('code', [transaction.cardKey, String(line)])
  const before = executions.filter(({ type }) => type === 'before_transaction')
  const after = executions.filter(({ type }) => type !== 'before_transaction')
  const startMs = Date.parse(executions[0]?.startedAt ?? transaction.dateTime)
  const hook = (each: Execution) => (
    <HookSteps key={each.executionId} execution={each} code={code} startMs={startMs} link={link} />
  )
  return [
    ...before.map(hook),
    executions.length === 0 && (
      <Step key="none" at="code">
        No code ran for it.
      </Step>
    ),
    <Decision key="decision" detail={detail} />,
    ...after.map(hook),
  ]
}

function Decision({ detail: { transaction, pending, entries } }: { detail: Detail }) {
  const { decision } = transaction
  const ledger =
    decision === 'declined'
      ? 'nothing was held'
      : pending
        ? `${rand(fromRand(pending.amount))} on hold, settles ${when(pending.settlesAt)}`
        : entries.length > 0
          ? entries.map(({ cents, postingDate }) => `${rand(cents)} posted on ${postingDate}`).join('; ')
          : 'the hold was released'
  return (
    <Step at="ledger" isBad={decision === 'declined'}>
      <strong>{decision === 'approved' ? 'Approved' : 'Declined'}</strong>: {ledger}.
    </Step>
  )
}

interface ActsProps {
  readonly transaction: Detail['transaction']
  readonly isProgrammable: boolean
  readonly isPending: boolean
  readonly isMoved: boolean
  readonly swipe: TransactionProps['swipe']
  readonly detail: Detail
}

function Acts({ transaction, isProgrammable, isPending, isMoved, swipe, detail }: ActsProps) {
  const { id, cardKey, decision, status } = transaction
  const [isAdjusting, setAdjusting] = useState(false)
  const canReverse = decision === 'approved' && status !== 'reversed' && isMoved
  return (
    <>
      <div class="acts" role="group" aria-label="What to do with it">
        <button type="button" onClick={() => void swipe(purchaseOf(transaction))}>
          Again
        </button>
        <button
          type="button"
          title="Fills the fields of the next purchase"
          onClick={() => {
            fillFields(transaction)
            document.querySelector<HTMLElement>('form[aria-label="Purchase"] input')?.focus()
          }}
        >
          Edit + again
        </button>
        {isProgrammable && (
          <button
            type="button"
            onClick={() => {
              fillFields(transaction)
              goTo('code', [cardKey])
            }}
          >
            Try in Code
          </button>
        )}
        {isPending && (
          <button type="button" onClick={() => settle(id)}>
            Settle
          </button>
        )}
        {canReverse && (
          <UndoButtons
            transaction={transaction}
            isAdjusting={isAdjusting}
            toggleAdjusting={() => setAdjusting(!isAdjusting)}
            swipe={swipe}
          />
        )}
        <CopyButton
          name="Copy as curl"
          what="the purchase as a command"
          text={() => controlCurl('POST', `cards/${cardKey}/transactions`, purchaseOf(transaction))}
        />
        <button type="button" onClick={() => copyCase(detail)}>
          Copy as test case
        </button>
      </div>
      {isAdjusting && canReverse && <Adjust transaction={transaction} done={() => setAdjusting(false)} />}
    </>
  )
}

interface UndoProps {
  readonly transaction: Detail['transaction']
  readonly isAdjusting: boolean
  readonly toggleAdjusting: () => void
  readonly swipe: TransactionProps['swipe']
}

/** What takes back all or part of an approved transaction. */
function UndoButtons({ transaction, isAdjusting, toggleAdjusting, swipe }: UndoProps) {
  const { id, type, randCents } = transaction
  return (
    <>
      <button type="button" onClick={() => reverse(id)}>
        Reverse
      </button>
      {randCents > 0 && (
        <button type="button" aria-expanded={isAdjusting} onClick={toggleAdjusting}>
          Adjust…
        </button>
      )}
      {type !== 'refund' && randCents > 0 && (
        <button type="button" onClick={() => void swipe({ ...purchaseOf(transaction), type: 'refund' })}>
          Refund
        </button>
      )}
    </>
  )
}

const settle = (id: string): void =>
  void performUndoable(
    `settling ${id}`,
    () => ask('POST', '/_sandbox/transactions/{id}/settle', { params: { id } }),
    'Settled: it is posted now.',
  )

const reverse = (id: string): void =>
  void performUndoable(
    `reversing ${id}`,
    () => ask('POST', '/_sandbox/transactions/{id}/reverse', { params: { id } }),
    'Reversed: the money is back.',
  )

const copyCase = (detail: Detail): void =>
  void perform(async () => {
    const params = { cardkey: detail.transaction.cardKey }
    const [{ stubs }, program] = await Promise.all([
      ask('GET', '/_sandbox/outbound/stubs'),
      ask('GET', '/_sandbox/cards/{cardkey}/program', { params }).catch(() => undefined),
    ])
    await copy(testCase(detail, program?.variables ?? {}, stubs), 'a case for card test')
  })

/** Another amount for a purchase, as when a restaurant adds the tip. */
function Adjust({ transaction, done }: { transaction: Detail['transaction']; done: () => void }) {
  const { id, centsAmount, currencyCode } = transaction
  const [text, setText] = useState(typed(centsAmount))
  const cents = parseTypedRand(text)
  const adjust = async (): Promise<void> => {
    const adjusted = await performUndoable(
      `adjusting ${id}`,
      () =>
        ask('POST', '/_sandbox/transactions/{id}/adjust', {
          params: { id },
          body: { centsAmount: cents! },
        }),
      `Adjusted: it is over ${money(cents!, currencyCode)} now.`,
    )
    if (adjusted) done()
  }
  return (
    <form
      class="row"
      aria-label="Adjust"
      onSubmit={(event) => {
        event.preventDefault()
        if (cents !== undefined) void adjust()
      }}
    >
      <Field
        label={`Adjust to, in ${currencyCode === 'ZAR' ? 'rand' : currencyCode}`}
        class="short"
        inputmode="decimal"
        value={text}
        autofocus
        aria-invalid={cents === undefined}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="primary" disabled={cents === undefined || cents === centsAmount}>
        Adjust
      </button>
    </form>
  )
}
