// Reads a whole bank through its API: what may be read is read, and what may not is listed.

import { Card, CodeRecord, ListedExecution, VariablesRecord } from '../bank/cards/card-records.js'
import {
  Account,
  AuthorisationSetup,
  Balance,
  Beneficiary,
  BeneficiaryCategory,
  Profile,
  Transaction,
} from '../bank/records.js'
import { dayFromParts, dayOf, formatDay, partsOf, type Day } from '../determinism/day.js'
import type { PulledAccount, PulledBank, PulledCard } from './pulled-bank.js'
import { RealDataError, type ReadAnswer, type ReadSource } from './read-client.js'
import { shaped, shapedList } from './shape.js'
import type { FromSchema, Schema } from '../protocol/schema.js'

/** What is read. */
export interface PullRange {
  /** First posting day; 13 months before the service's today when left out. */
  readonly from?: Day | undefined
  /** Last posting day; the service's today when left out. */
  readonly to?: Day | undefined
  /** Whether the values of card variables are read too, and not only their names. */
  readonly withVariables?: boolean | undefined
}

/** Rows are asked for in windows of so many days. */
const windowDays = 90
const historyMonths = 13
/** The value of a variable of which only the name was read. */
export const notPulled = 'not-pulled'

/** Reads everything. `onProgress` is told what is being read. Throws a {@link RealDataError} when nothing can be read. */
export async function pullBank(
  client: ReadSource,
  range: PullRange,
  onProgress: (text: string) => void = () => undefined,
): Promise<PulledBank> {
  const reader = new Reader(client)
  onProgress('signing in, reading profiles and accounts')
  const accountList = await reader.data('/za/pb/v1/accounts')
  if (!Array.isArray(accountList?.accounts))
    throw new RealDataError(
      `No account can be read: ${reader.missing.join(' ') || 'the list of accounts is no list.'}`,
    )
  const nowMs = client.dateMs
  if (nowMs === undefined)
    throw new RealDataError('The service sends no Date header, so its today is not known.')
  const accounts = shapedList(Account, accountList.accounts).filter(({ accountId }) => accountId !== '')
  if (accounts.length === 0) throw new RealDataError('No account can be read: the list of accounts is empty.')
  const profiles = (await reader.list(Profile, '/za/pb/v1/profiles')) ?? profilesFrom(accounts)
  const to = range.to ?? dayOf(nowMs)
  const from = range.from ?? monthsBefore(dayOf(nowMs), historyMonths)
  const read: PulledAccount[] = []
  for (const [index, account] of accounts.entries()) {
    onProgress(`account ${index + 1} of ${accounts.length}`)
    const pulled = await pullAccount(reader, account, from, to)
    if (pulled) read.push(pulled)
  }
  onProgress('beneficiaries')
  const categories = []
  for (const { profileId } of profiles) {
    const path = `/za/pb/v1/accounts/beneficiarycategories?profileId=${encodeURIComponent(profileId)}`
    for (const each of (await reader.list(BeneficiaryCategory, path)) ?? [])
      categories.push({ ...each, profileId })
  }
  const beneficiaries = (await reader.list(Beneficiary, '/za/pb/v1/accounts/beneficiaries')) ?? []
  const cards: PulledCard[] = []
  const cardList = shapedList(Card, (await reader.data('/za/v1/cards'))?.cards)
  for (const [index, card] of cardList.entries()) {
    onProgress(`card ${index + 1} of ${cardList.length}`)
    cards.push(await pullCard(reader, card, range.withVariables === true))
  }
  return { nowMs, profiles, categories, beneficiaries, accounts: read, cards, missing: reader.missing }
}

function monthsBefore(day: Day, months: number): Day {
  const { year, month, date } = partsOf(day)
  return dayFromParts(year, month - months, date)
}

async function pullAccount(
  reader: Reader,
  account: Account,
  from: Day,
  to: Day,
): Promise<PulledAccount | undefined> {
  const { accountId, profileId } = account
  const own = `/za/pb/v1/accounts/${encodeURIComponent(accountId)}`
  const balance = await reader.record(Balance, `${own}/balance`)
  const rows: Transaction[] = []
  for (let first = from; first <= to; first += windowDays) {
    const last = Math.min(to, first + windowDays - 1)
    const path = `${own}/transactions?fromDate=${formatDay(first)}&toDate=${formatDay(last)}`
    rows.push(...(await reader.pages(Transaction, path, 'transactions')))
  }
  const query = `?fromDate=${formatDay(to - windowDays)}&toDate=${formatDay(to)}&includePending=true`
  const all = await reader.pages(Transaction, `${own}/transactions${query}`, 'transactions')
  const setup = await reader.record(
    AuthorisationSetup,
    `/za/pb/v1/profiles/${encodeURIComponent(profileId)}/accounts/${encodeURIComponent(accountId)}/authorisationsetupdetails`,
  )
  const pending = all.filter(({ status }) => status === 'PENDING')
  return { account, balance, setup, rows: rows.filter(({ status }) => status !== 'PENDING'), pending }
}

async function pullCard(reader: Reader, card: Card, withVariables: boolean): Promise<PulledCard> {
  const own = `/za/v1/cards/${encodeURIComponent(card.CardKey)}`
  const detail = Object((await reader.data(own))?.result) as Members
  const name2 = detail.EmbossName2
  const empty = {
    card,
    embossedName2: typeof name2 === 'string' ? name2.slice(0, 100) : '',
    saved: undefined,
    published: undefined,
    variables: shaped(VariablesRecord, {}),
    executions: [],
  }
  if (!card.IsProgrammable) return empty
  const saved = codeOf(await reader.data(`${own}/code`))
  const published = codeOf(await reader.data(`${own}/publishedcode`, [400, 404]))
  const record = await reader.data(`${own}/environmentvariables`)
  const executions = await reader.data(`${own}/code/executions`)
  const variables = shaped(VariablesRecord, record?.result)
  const named = Object.entries(variables.variables).slice(0, 200)
  return {
    ...empty,
    saved,
    published,
    variables: {
      ...variables,
      error: null,
      variables: Object.fromEntries(named.map(([name, value]) => [name, withVariables ? value : notPulled])),
    },
    executions: shapedList(ListedExecution, (Object(executions?.result) as Members).executionItems).slice(
      0,
      100,
    ),
  }
}

/** The record of an answer with `result`, if it has one with code in it. */
function codeOf(data: unknown): CodeRecord | undefined {
  const { result } = Object(data) as { result?: unknown }
  const record = shaped(CodeRecord, result)
  return record.codeId === '' ? undefined : record
}

/** Profiles as the accounts name them, where the list of profiles cannot be read. */
function profilesFrom(accounts: readonly Account[]): Profile[] {
  const named = new Map(accounts.map(({ profileId, profileName }) => [profileId, profileName]))
  return Array.from(named, ([profileId, profileName], index) => ({
    profileId,
    profileName,
    defaultProfile: index === 0,
  }))
}

/** Something that may have members of any kind. */
type Members = Readonly<Record<string, unknown>>

/** Reads `data` of envelopes, and notes what cannot be read. */
class Reader {
  readonly missing: string[] = []
  readonly #client: ReadSource

  constructor(client: ReadSource) {
    this.#client = client
  }

  /** The `data` of an answer, or undefined when it was refused; `silent` statuses are no loss. */
  async data(path: string, silent: readonly number[] = []): Promise<Members | undefined> {
    const answer = await this.#client.get(path)
    return this.#dataOf(path, answer, silent)
  }

  /** The record that an answer holds. */
  async record<const S extends Schema>(schema: S, path: string): Promise<FromSchema<S> | undefined> {
    const data = await this.data(path)
    return data === undefined ? undefined : shaped(schema, data)
  }

  /** The list that an answer holds; undefined when it was refused. */
  async list<const S extends Schema>(schema: S, path: string): Promise<FromSchema<S>[] | undefined> {
    const data = await this.data(path)
    return Array.isArray(data) ? shapedList(schema, data) : undefined
  }

  /** All pages of a list. */
  async pages<const S extends Schema>(schema: S, path: string, name: string): Promise<FromSchema<S>[]> {
    const items: FromSchema<S>[] = []
    for (let page = 1, pages = 1; page <= pages && page <= 10_000; page++) {
      const asked = page === 1 ? path : `${path}&page=${page}`
      const answer = await this.#client.get(asked)
      const data = this.#dataOf(asked, answer)
      if (!Array.isArray(data?.[name])) return items
      for (const item of shapedList(schema, data[name])) items.push(item)
      pages = Number((answer.body as { meta?: { totalPages?: unknown } }).meta?.totalPages ?? 1)
    }
    return items
  }

  #dataOf(path: string, { status, body }: ReadAnswer, silent: readonly number[] = []): Members | undefined {
    const shown = path.replace(/\?.*$/, '').replace(/\d{5,}/g, '…')
    if (status !== 200) {
      if (!silent.includes(status)) this.missing.push(`GET ${shown} was refused with ${status}.`)
      return undefined
    }
    if (typeof body !== 'object' || body === null || !('data' in body)) {
      this.missing.push(`GET ${shown} answered something that is no JSON with \`data\`.`)
      return undefined
    }
    return (body.data ?? undefined) as Members | undefined
  }
}
