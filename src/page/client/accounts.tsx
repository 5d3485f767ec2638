// Accounts: balances, the statement with pending rows, the running balance as a chart, upcoming events.

import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { performUndoable, say } from './acts.js'
import { ask, type Answer } from './api.js'
import { BalanceChart } from './chart.js'
import { controlCurl } from './curl.js'
import { fromRand, toRand } from '../../bank/money.js'
import { day, rand, when } from './format.js'
import { moveFocus, useKey } from './keys.js'
import { useLoad } from './load.js'
import { CopyButton, Empty, FilterField, LoadError } from './parts.js'
import { goTo, linkTo, route } from './route.js'
import { rowHeight, Spacer, useFilter, useWindow } from './rows.js'

type Account = Answer<'GET', '/_sandbox/accounts'>['accounts'][number]
type Entry = Answer<'GET', '/_sandbox/accounts/{accountId}/entries'>['entries'][number]
type Pending = Answer<'GET', '/_sandbox/accounts/{accountId}/pending'>['transactions'][number]

const changes = ['entry', 'hold', 'settlement', 'release', 'account']

export function AccountsScreen() {
  const [chosen] = route.value.rest
  const { value, error, reload } = useLoad(() => ask('GET', '/_sandbox/accounts'), [], changes)
  const account = value?.accounts.find(({ accountId }) => accountId === chosen)
  useEffect(() => {
    const [first] = value?.accounts ?? []
    if (chosen === undefined && first) goTo('accounts', [first.accountId], true)
  }, [value, chosen])
  if (error !== '' && !value) return <LoadError error={error} retry={reload} />
  if (!value) return null
  if (value.accounts.length === 0)
    return (
      <Empty
        title="This bank has no accounts."
        curl={controlCurl('POST', 'accounts', { productName: 'PrimeSaver' })}
      >
        Choose another scenario above, or open an account:
      </Empty>
    )
  return (
    <>
      <ul class="tabs" aria-label="Accounts">
        {value.accounts.map((each) => (
          <li key={each.accountId}>
            <a
              href={linkTo('accounts', [each.accountId])}
              aria-current={each.accountId === chosen ? 'true' : undefined}
            >
              {each.referenceName} <strong class="amount">{rand(each.balanceCents)}</strong>
            </a>
          </li>
        ))}
      </ul>
      {chosen !== undefined && !account && (
        <Empty title="There is no such account here.">
          <a href={linkTo('accounts')}>Show the first account</a>
        </Empty>
      )}
      {account && <Statement key={account.accountId} account={account} />}
    </>
  )
}

const windowSize = 1000

/** The known entries, newest first; after an event only the newest are read. */
async function readEntries(accountId: string, before: readonly Entry[] | undefined): Promise<Entry[]> {
  const read = (query: Record<string, string>) =>
    ask('GET', '/_sandbox/accounts/{accountId}/entries', { params: { accountId }, query })
  const known = before?.[0]?.postedOrder
  if (before && known !== undefined) {
    const { entries, total } = await read({ limit: '100' })
    const fresh = entries.filter(({ postedOrder }) => postedOrder > known)
    if (known + fresh.length === total) return [...fresh, ...before]
  }
  const all: Entry[] = []
  let next: number | null = null
  do {
    const query = {
      limit: String(next === null ? windowSize : 10_000),
      ...(next !== null && { before: String(next) }),
    }
    const window: Answer<'GET', '/_sandbox/accounts/{accountId}/entries'> = await read(query)
    all.push(...window.entries)
    next = window.before
  } while (next !== null && all.length < maxRows)
  return all
}

/** The most rows on the page; older rows are left to the service and its documents. */
const maxRows = 100_000

const useEntries = (accountId: string) =>
  useLoad<Entry[]>((before) => readEntries(accountId, before), [accountId], ['entry', 'settlement'])

const usePending = (accountId: string) =>
  useLoad(
    async () =>
      (await ask('GET', '/_sandbox/accounts/{accountId}/pending', { params: { accountId } })).transactions,
    [accountId],
    changes,
  )

function Statement({ account }: { account: Account }) {
  const { accountId } = account
  const entries = useEntries(accountId)
  const pending = usePending(accountId)
  const box = useRef<HTMLDivElement>(null)
  const [text, setText, applied] = useFilter()
  const rows = useMemo(() => filtered(entries.value ?? [], applied), [entries.value, applied])
  const holds = useMemo(
    () => filtered([...(pending.value ?? [])].reverse(), applied),
    [pending.value, applied],
  )
  const show = (postedOrder: number): void => {
    setText('')
    const at = (entries.value ?? []).findIndex((each) => each.postedOrder === postedOrder)
    requestAnimationFrame(() => requestAnimationFrame(() => focusRow(box, postedOrder, holds.length + at)))
  }
  return (
    <div class="split">
      <section aria-label={account.referenceName}>
        <p class="facts">
          {account.productName} · {account.accountNumber} · {rand(account.availableCents)} available
          {account.heldCents > 0 && <> · {rand(account.heldCents)} on hold</>}
        </p>
        <LoadError error={entries.error} retry={entries.reload} />
        <BalanceChart entries={entries.value ?? []} show={show} />
        <div class="row">
          <FilterField text={text} setText={setText} />
          <button type="button" onClick={() => download(account, rows)}>
            Save as CSV
          </button>
          <CopyButton
            name="Copy as curl"
            what="the entries as a command"
            text={() => controlCurl('GET', `accounts/${accountId}/entries`)}
          />
        </div>
        {entries.value && rows.length + holds.length === 0 ? (
          <NoRows accountId={accountId} text={applied === '' ? '' : text} showAll={() => setText('')} />
        ) : (
          <StatementRows box={box} rows={rows} holds={holds} />
        )}
      </section>
      <ComingUp accountId={accountId} />
    </div>
  )
}

/** Scrolls to a row, which is drawn only then, and focuses it. */
function focusRow(box: RefObject<HTMLDivElement | null>, postedOrder: number, index: number): void {
  box.current?.scrollTo({ top: Math.max(0, (index - 3) * rowHeight) })
  requestAnimationFrame(() => {
    box.current?.querySelector<HTMLElement>(`[data-item="${postedOrder}"]`)?.focus({ preventScroll: true })
  })
}

interface StatementRowsProps {
  readonly box: RefObject<HTMLDivElement | null>
  readonly rows: readonly Entry[]
  readonly holds: readonly Pending[]
}

/** Pending rows first, then posted ones, of which only the visible are drawn. */
function StatementRows({ box, rows, holds }: StatementRowsProps) {
  const { first, end, above, below } = useWindow(box, rows.length)
  useKey('j', () => moveFocus(box.current, 1))
  useKey('k', () => moveFocus(box.current, -1))
  return (
    <div class="scroll" ref={box} tabIndex={0} role="group" aria-label="Rows">
      <table aria-label="Statement" aria-rowcount={rows.length + holds.length + 1}>
        <Head />
        <tbody>
          {holds.map((hold) => (
            <HoldRow key={hold.id} hold={hold} />
          ))}
          <Spacer height={above} columns={4} />
          {rows.slice(first, end).map((entry, index) => (
            <EntryRow key={entry.postedOrder} entry={entry} at={holds.length + first + index + 2} />
          ))}
          <Spacer height={below} columns={4} />
        </tbody>
      </table>
    </div>
  )
}

interface NoRowsProps {
  readonly accountId: string
  /** The search text; empty when the account has no rows. */
  readonly text: string
  readonly showAll: () => void
}

function NoRows({ accountId, text, showAll }: NoRowsProps) {
  return text === '' ? (
    <Empty
      title="Nothing has been posted yet."
      curl={controlCurl('POST', `accounts/${accountId}/entries`, {
        type: 'CREDIT',
        amount: '25000.00',
        description: 'SALARY ACME',
      })}
    >
      Let money come in:
    </Empty>
  ) : (
    <p class="facts">
      No row has “{text}” in it.{' '}
      <button type="button" onClick={showAll}>
        Show all rows
      </button>
    </p>
  )
}

const Head = () => (
  <thead>
    <tr>
      <th>Date</th>
      <th>Description</th>
      <th class="amount">Amount</th>
      <th class="amount">Balance</th>
    </tr>
  </thead>
)

/** Rows whose text, amount or reference contains the search text. */
function filtered<T extends { readonly description: string }>(
  rows: readonly T[],
  text: string,
): readonly T[] {
  return text === '' ? rows : rows.filter((row) => searchText(row).includes(text))
}

const texts = new WeakMap<object, string>()

function searchText(row: { readonly description: string }): string {
  let text = texts.get(row)
  if (text === undefined) {
    const { description, cents, amount, reference, postingDate } = row as Partial<Entry & Pending>
    const cost = Math.abs(cents === undefined ? (amount ?? 0) : toRand(cents))
    text = `${description} ${cost.toFixed(2)} ${reference ?? ''} ${postingDate ?? ''}`.toLowerCase()
    texts.set(row, text)
  }
  return text
}

function HoldRow({ hold }: { hold: Pending }) {
  const { id, description, amount, type, settlesAt } = hold
  const cents = fromRand(amount) * (type === 'DEBIT' ? -1 : 1)
  return (
    <tr class="pending" data-item={id} tabIndex={-1}>
      <td>
        <span title={`Settles ${when(settlesAt)}`}>pending</span>
      </td>
      <td id={`pending-${id}`}>{description}</td>
      <td class="amount">{rand(cents)}</td>
      <td class="amount">
        <button
          type="button"
          class="small"
          aria-describedby={`pending-${id}`}
          onClick={() =>
            void performUndoable(
              `settling ${description}`,
              () => ask('POST', '/_sandbox/transactions/{id}/settle', { params: { id } }),
              `Settled: ${description}.`,
            )
          }
        >
          Settle
        </button>
      </td>
    </tr>
  )
}

function EntryRow({ entry, at }: { entry: Entry; at: number }) {
  return (
    <tr data-item={entry.postedOrder} tabIndex={-1} aria-rowindex={at}>
      <td>{entry.postingDate}</td>
      <td title={entry.transactionType ?? ''}>{entry.description}</td>
      <td class={`amount ${entry.cents > 0 ? 'credit' : ''}`}>{rand(entry.cents)}</td>
      <td class="amount">{rand(entry.balanceCents)}</td>
    </tr>
  )
}

function ComingUp({ accountId }: { accountId: string }) {
  const { value, error, reload } = useLoad(
    async () => (await ask('GET', '/_sandbox/upcoming')).upcoming,
    [],
    [...changes, 'payment'],
  )
  const own = value?.filter((each) => each.accountId === accountId || each.accountId === null)
  const next = own?.filter(({ kind }) => kind !== 'purchase').slice(0, 12)
  return (
    <section aria-label="Coming up" class="detail">
      <h2>Coming up</h2>
      <LoadError error={error} retry={reload} />
      {next?.length === 0 && <p class="facts">Nothing in the next 31 days.</p>}
      <ol class="coming">
        {next?.map(({ at, description, cents, kind }, index) => (
          <li key={index}>
            <time dateTime={at}>{day(at)}</time>{' '}
            <span class="name" title={description}>
              {description}
            </span>{' '}
            <span class="amount">{cents === null ? kind : rand(cents)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The shown rows as a file. A quote is put before a text that a spreadsheet would take for a formula. */
function download(account: Account, rows: readonly Entry[]): void {
  const cell = (value: string | number): string =>
    typeof value === 'number'
      ? toRand(value).toFixed(2)
      : `"${value.replace(/^([=+\-@\t\r])/, "'$1").replaceAll('"', '""')}"`
  const lines = rows.map(({ postingDate, description, cents, balanceCents, reference }) =>
    [cell(postingDate), cell(description), cell(cents), cell(balanceCents), cell(reference)].join(','),
  )
  const text = ['date,description,amount,balance,reference', ...lines, ''].join('\r\n')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  link.download = `${account.accountNumber}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
  say(`Saved ${rows.length} rows.`)
}
