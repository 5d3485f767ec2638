// Cards: use one as a terminal does, and see the result and the reason.

import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ask } from './api.js'
import { controlCurl } from './curl.js'
import { money, rand, time } from './format.js'
import { moveFocus, useKey } from './keys.js'
import { useLoad } from './load.js'
import { CopyButton, Empty, LoadError, DecisionSign } from './parts.js'
import {
  PurchaseFields,
  purchaseOf,
  PurchasePanel,
  swipeCard,
  typedPurchase,
  type CardSummary,
  type CardTransaction,
  type Purchase,
} from './purchase.js'
import { goTo, linkTo, route } from './route.js'
import { TransactionDetail } from './transaction.js'

/** Purchases with one click. */
const presets: readonly { readonly name: string; readonly purchase: Purchase }[] = [
  {
    name: 'Bakery',
    purchase: { centsAmount: 8_500, merchant: { name: 'Corner Bakery', categoryCode: '5462' } },
  },
  {
    name: 'Fuel',
    purchase: { centsAmount: 60_000, merchant: { name: 'Harbour Fuel', categoryCode: '5541' } },
  },
  {
    name: 'Dinner',
    purchase: { centsAmount: 90_000, merchant: { name: 'Ocean Grill', categoryCode: '5812' } },
  },
  { name: 'Cash', purchase: { centsAmount: 50_000, type: 'atm' } },
]

export function CardsScreen() {
  const { rest } = route.value
  const { value, error, reload } = useLoad(
    () => ask('GET', '/_sandbox/cards'),
    [],
    ['card', 'card-transaction', 'hold', 'settlement', 'entry', 'release'],
  )
  const [chosen, mark, id] = rest
  const card = value?.cards.find(({ CardKey }) => CardKey === chosen)
  useEffect(() => {
    const [first] = value?.cards ?? []
    if (chosen === undefined && first) goTo('cards', [first.CardKey], true)
  }, [value, chosen])
  if (error !== '' && !value) return <LoadError error={error} retry={reload} />
  if (!value) return null
  if (value.cards.length === 0) return <NoCards />
  return (
    <>
      <ul class="tabs" aria-label="Cards">
        {value.cards.map((each) => (
          <li key={each.CardKey}>
            <a
              href={linkTo('cards', [each.CardKey])}
              aria-current={each.CardKey === chosen ? 'true' : undefined}
            >
              <strong>{each.CardKey}</strong> {each.accountName} <small>{codeState(each)}</small>
            </a>
          </li>
        ))}
      </ul>
      {chosen !== undefined && !card && (
        <Empty title={`There is no card ${chosen} here.`}>
          <a href={linkTo('cards')}>Show the first card</a>
        </Empty>
      )}
      {card && <OneCard key={card.CardKey} card={card} shown={mark === 't' ? id : undefined} />}
    </>
  )
}

/** How a bank gets a card: with the account that a command can name. */
function NoCards() {
  const { value } = useLoad(() => ask('GET', '/_sandbox/accounts'), [], ['account'])
  const [account] = value?.accounts ?? []
  return (
    <Empty
      title="This bank has no cards."
      curl={
        account && controlCurl('POST', 'cards', { accountId: account.accountId, embossedName: 'L NAIDOO' })
      }
    >
      Choose another scenario above, or issue a card on a current account.
    </Empty>
  )
}

function codeState({ IsProgrammable, enabled, publishedVersion, Status }: CardSummary): string {
  if (Status !== 'Active') return Status.toLowerCase()
  if (!IsProgrammable) return 'takes no code'
  if (publishedVersion === null) return 'no code published'
  return `${enabled ? 'on' : 'off'}, v${publishedVersion}`
}

/**
 * The transactions of a card, newest first: after an event only the newest are read, and merged with the known ones.
 */
async function readFeed(
  cardkey: string,
  before: readonly CardTransaction[] | undefined,
): Promise<CardTransaction[]> {
  const read = async (limit: number) =>
    ask('GET', '/_sandbox/cards/{cardkey}/transactions', {
      params: { cardkey },
      query: { limit: String(limit) },
    })
  if (before) {
    const { transactions, total } = await read(50)
    const ids = new Set(transactions.map((each) => each.id))
    const older = before.filter((each) => !ids.has(each.id))
    if (transactions.length + older.length === Math.min(total, most)) return [...transactions, ...older]
  }
  return (await read(most)).transactions
}

const most = 1000

function OneCard({ card, shown }: { card: CardSummary; shown: string | undefined }) {
  const { CardKey } = card
  const feed = useLoad<CardTransaction[]>(
    (before) => readFeed(CardKey, before),
    [CardKey],
    ['card-transaction'],
  )
  const whole = useLoad<CardTransaction[]>(
    () => readFeed(CardKey, undefined),
    [CardKey],
    ['settlement', 'release'],
  )
  const last = useRef<Purchase>(undefined)
  const statuses = new Map(whole.value?.map((each) => [each.id, each.status]))
  const transactions = feed.value?.map((each) => {
    const status = statuses.get(each.id)
    return status === undefined || status === each.status ? each : later(each, status)
  })
  const swipe = async (purchase: Purchase): Promise<void> => {
    if (purchase.type !== 'refund') last.current = purchase
    await swipeCard(CardKey, purchase)
  }
  const newest = transactions?.[0]
  const again = (): void => {
    const purchase = last.current ?? (newest && purchaseOf(newest))
    if (purchase) void swipe(purchase)
  }
  useKey('r', again)
  return (
    <div class="split">
      <section aria-label={`Card ${CardKey}`}>
        <p class="facts">
          {card.CardNumber} · {card.EmbossedName} · {rand(card.availableCents)} available
          {card.IsProgrammable && (
            <>
              {' '}
              · <a href={linkTo('code', [CardKey])}>main.js</a>
            </>
          )}
        </p>
        <SwipeForm swipe={swipe} again={newest || last.current ? again : undefined} cardKey={CardKey} />
        <LoadError error={feed.error} retry={feed.reload} />
        {!transactions && feed.error === '' && <p class="facts">Loading…</p>}
        {transactions && <Feed card={CardKey} transactions={transactions} shown={shown} />}
      </section>
      {shown !== undefined && <TransactionDetail key={shown} id={shown} card={card} swipe={swipe} />}
    </div>
  )
}

/** A status only moves forward: of two readings the later status counts. */
const order = ['declined', 'pending', 'settled', 'reversed']
const later = (each: CardTransaction, status: CardTransaction['status']): CardTransaction =>
  order.indexOf(status) > order.indexOf(each.status) ? { ...each, status } : each

interface SwipeFormProps {
  readonly swipe: (purchase: Purchase) => Promise<void>
  readonly again: (() => void) | undefined
  readonly cardKey: string
}

function SwipeForm({ swipe, again, cardKey }: SwipeFormProps) {
  const purchase = typedPurchase()
  const submit = (): void => {
    if (purchase) void swipe(purchase)
  }
  useKey('s', submit)
  return (
    <PurchasePanel submit={submit}>
      <div class="presets" role="group" aria-label="Purchases">
        {presets.map((preset) => (
          <button key={preset.name} type="button" onClick={() => void swipe(preset.purchase)}>
            {preset.name} {rand(preset.purchase.centsAmount)}
          </button>
        ))}
      </div>
      <PurchaseFields />
      <button type="submit" class="primary" disabled={!purchase}>
        Swipe
      </button>
      <button type="button" disabled={!again} onClick={() => again?.()}>
        Swipe again
      </button>
      <CopyButton
        name="Copy as curl"
        what="the purchase as a command"
        text={() => controlCurl('POST', `cards/${cardKey}/transactions`, purchase ?? {})}
      />
    </PurchasePanel>
  )
}

interface FeedProps {
  readonly card: string
  readonly transactions: readonly CardTransaction[]
  readonly shown: string | undefined
}

/** While the list is scrolled, new rows wait, so that the text does not move: `waiting` is how many. */
function useSteadyRows(list: RefObject<HTMLUListElement | null>, transactions: readonly CardTransaction[]) {
  const [held, setHeld] = useState<string>()
  const first = transactions[0]?.id
  const isReading = (list.current?.scrollTop ?? 0) > 8
  const top = useRef<string>(undefined)
  useEffect(() => {
    if (isReading && top.current !== undefined && first !== top.current)
      setHeld((before) => before ?? top.current)
    top.current = first
  }, [first, isReading])
  const at = held === undefined ? 0 : transactions.findIndex(({ id }) => id === held)
  const waiting = Math.max(0, at)
  const visible = waiting === 0 ? transactions : transactions.slice(waiting)
  return { visible, waiting, release: () => setHeld(undefined) }
}

function Feed({ card, transactions, shown }: FeedProps) {
  const list = useRef<HTMLUListElement>(null)
  const { visible, waiting, release } = useSteadyRows(list, transactions)
  useKey('j', () => moveFocus(list.current, 1))
  useKey('k', () => moveFocus(list.current, -1))
  useKey(
    'Escape',
    () => {
      goTo('cards', [card])
      list.current?.querySelector<HTMLElement>(`[data-item="${shown!}"]`)?.focus()
    },
    shown !== undefined,
  )
  if (transactions.length === 0)
    return (
      <Empty
        title="No transaction yet."
        curl={controlCurl('POST', `cards/${card}/transactions`, presets[1]!.purchase)}
      >
        Press Swipe, or use the card from a terminal:
      </Empty>
    )
  return (
    <>
      <p class="facts">
        {transactions.length === most ? `the newest ${most}` : transactions.length}{' '}
        {transactions.length === 1 ? 'transaction' : 'transactions'}
        {waiting > 0 && (
          <button
            type="button"
            class="fresh"
            onClick={() => {
              release()
              list.current?.scrollTo({ top: 0 })
            }}
          >
            {waiting} new
          </button>
        )}
      </p>
      <ul
        class="feed"
        ref={list}
        aria-label="Transactions"
        onScroll={(event) => {
          if (event.currentTarget.scrollTop <= 0) release()
        }}
      >
        {visible.map((each) => (
          <Row key={each.id} card={card} each={each} isShown={each.id === shown} />
        ))}
      </ul>
    </>
  )
}

function Row({ card, each, isShown }: { card: string; each: CardTransaction; isShown: boolean }) {
  return (
    <li>
      <a
        href={linkTo('cards', [card, 't', each.id])}
        data-item={each.id}
        aria-current={isShown ? 'true' : undefined}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          moveFocus(event.currentTarget.closest('ul'), event.key === 'ArrowDown' ? 1 : -1)
        }}
      >
        <DecisionSign decision={each.decision} />
        <span class="name">{each.merchant.name}</span>
        <span class="amount">{money(each.centsAmount, each.currencyCode)}</span>
        <span class="note">{each.decision === 'declined' ? each.reason : each.status}</span>
        <time dateTime={each.dateTime}>{time(each.dateTime)}</time>
      </a>
    </li>
  )
}
