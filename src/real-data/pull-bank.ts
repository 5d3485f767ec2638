// Reads a whole bank through its API: reads everything that is permitted, and lists the rest.

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
import { countries, currencies, merchantCategories, type ReferenceItem } from '../bank/reference.js'
import { Router } from '../sandbox/router.js'
import { service } from '../service/index.js'
import type { PulledAccount, PulledBank, PulledCard } from './pulled-bank.js'
import { notRecorded, UnusableDataError, type ReadAnswer, type ReadSource } from './read-client.js'
import { shaped, shapedList } from './shape.js'
import type { FromSchema, Schema } from '../protocol/schema.js'

/** The range to read. */
export interface PullRange {
  /** First posting day; default: 13 months before the service's today. */
  readonly from?: Day | undefined
  /** Last posting day; default: the service's today. */
  readonly to?: Day | undefined
  /** Whether to read the values of card variables, and not only their names. */
  readonly withVariables?: boolean | undefined
}

/** Rows are requested in windows of this many days. */
const windowDays = 90
const historyMonths = 13
/** The value of a variable whose name alone was read. */
export const notPulled = 'not-pulled'

/** Reads everything. `onProgress` is told what is being read. Throws an {@link UnusableDataError} when nothing can be read. */
export async function pullBank(
  client: ReadSource,
  range: PullRange,
  onProgress: (text: string) => void = () => undefined,
): Promise<PulledBank> {
  const reader = new Reader(client)
  onProgress('signing in, reading profiles and accounts')
  const accounts = await listAccounts(reader)
  const nowMs = client.dateMs
  if (nowMs === undefined)
    throw new UnusableDataError('The service sends no Date header, so its today is not known.')
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
  const categories = await listCategories(reader, profiles)
  const beneficiaries = (await reader.list(Beneficiary, '/za/pb/v1/accounts/beneficiaries')) ?? []
  const cards: PulledCard[] = []
  const cardList = shapedList(Card, (await reader.data('/za/v1/cards'))?.cards)
  for (const [index, card] of cardList.entries()) {
    onProgress(`card ${index + 1} of ${cardList.length}`)
    cards.push(await pullCard(reader, card, range.withVariables === true))
  }
  onProgress('reference data')
  const unknown = await listUnknownCodes(reader)
  const missing = [...reader.notes, ...unknown]
  return { nowMs, profiles, categories, beneficiaries, accounts: read, cards, missing }
}

/** Throws an {@link UnusableDataError} when there is no account to read. */
async function listAccounts(reader: Reader): Promise<Account[]> {
  const list = await reader.data('/za/pb/v1/accounts')
  if (!Array.isArray(list?.accounts))
    throw new UnusableDataError(
      `No account can be read: ${reader.notes.join(' ') || 'the list of accounts is no list.'}`,
    )
  const accounts = shapedList(Account, list.accounts).filter(({ accountId }) => accountId !== '')
  if (accounts.length === 0)
    throw new UnusableDataError('No account can be read: the list of accounts is empty.')
  return accounts
}

async function listCategories(
  reader: Reader,
  profiles: readonly Profile[],
): Promise<PulledBank['categories'][number][]> {
  const categories = []
  for (const { profileId } of profiles) {
    const path = `/za/pb/v1/accounts/beneficiarycategories?profileId=${encodeURIComponent(profileId)}`
    for (const each of (await reader.list(BeneficiaryCategory, path)) ?? [])
      categories.push({ ...each, profileId })
  }
  return categories
}

/** A sentence for each list of reference data with codes that the sandbox lacks. */
async function listUnknownCodes(reader: Reader): Promise<string[]> {
  const unknown = []
  for (const [name, known] of Object.entries(referenceLists)) {
    const list = (await reader.data(`/za/v1/cards/${name}`))?.result
    if (Array.isArray(list)) unknown.push(...unknownCodes(name, list as unknown[], known()))
  }
  return unknown
}

const referenceLists: Readonly<Record<string, () => readonly ReferenceItem[]>> = {
  countries,
  currencies,
  merchants: merchantCategories,
}
const maxCodes = 20

/** The items of a service's list that the sandbox lacks, as one sentence. The service may list `undefined`, too. */
function unknownCodes(name: string, list: readonly unknown[], known: readonly ReferenceItem[]): string[] {
  const own = new Set(known.map(({ Code }) => Code))
  const codes = new Set(
    list
      .map((each) => (Object(each) as Members).Code)
      .filter((code): code is string => typeof code === 'string' && /^\w{1,8}$/.test(code))
      .filter((code) => !own.has(code) && code !== 'undefined'),
  )
  if (codes.size === 0) return []
  const shown = Array.from(codes).slice(0, maxCodes).join(', ')
  const rest = codes.size > maxCodes ? ` and ${codes.size - maxCodes} more` : ''
  return [`The sandbox does not know these codes of the list of ${name}: ${shown}${rest}.`]
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

/** The record of an answer with `result`, if it contains code. */
function codeOf(data: unknown): CodeRecord | undefined {
  const { result } = Object(data) as { result?: unknown }
  const record = shaped(CodeRecord, result)
  return record.codeId === '' ? undefined : record
}

/** Profiles as the accounts name them, when the list of profiles cannot be read. */
function profilesFrom(accounts: readonly Account[]): Profile[] {
  const named = new Map(accounts.map(({ profileId, profileName }) => [profileId, profileName]))
  return Array.from(named, ([profileId, profileName], index) => ({
    profileId,
    profileName,
    defaultProfile: index === 0,
  }))
}

/** An object with members of any kind. */
type Members = Readonly<Record<string, unknown>>

/** Reads `data` of envelopes, and notes what cannot be read. */
class Reader {
  readonly #client: ReadSource
  readonly #router = new Router(service)
  /** By sentence, the addresses that it is about. */
  readonly #notes = new Map<string, Set<string>>()

  constructor(client: ReadSource) {
    this.#client = client
  }

  /** What could not be read: one sentence for each endpoint and reason. */
  get notes(): string[] {
    return Array.from(this.#notes, ([sentence, { size }]) =>
      size === 1 ? `${sentence}.` : `${sentence} (${size} times).`,
    )
  }

  #note(path: string, what: string): void {
    const address = path.replace(/\?.*$/s, '')
    const match = this.#router.match('GET', address)
    const shown = match && 'endpoint' in match ? match.endpoint.path : address.replace(/\d{5,}/g, '…')
    const sentence = `GET ${shown} ${what}`
    const about = this.#notes.get(sentence)
    if (about) about.add(address)
    else this.#notes.set(sentence, new Set([address]))
  }

  /** The `data` of an answer, or undefined when it was refused; `silent` statuses are no loss. */
  async data(path: string, silent: readonly number[] = []): Promise<Members | undefined> {
    const answer = await this.#client.get(path)
    return this.#dataOf(path, answer, silent)
  }

  /** The record in an answer. */
  async record<const S extends Schema>(schema: S, path: string): Promise<FromSchema<S> | undefined> {
    const data = await this.data(path)
    return data === undefined ? undefined : shaped(schema, data)
  }

  /** The list in an answer; undefined when it was refused. */
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
      const list = data?.[name]
      // A page without rows is the last one, whatever number of pages the service reports.
      if (!Array.isArray(list) || list.length === 0) return items
      for (const item of shapedList(schema, list)) items.push(item)
      pages = Number((answer.body as { meta?: { totalPages?: unknown } }).meta?.totalPages ?? 1)
    }
    return items
  }

  #dataOf(path: string, { status, body }: ReadAnswer, silent: readonly number[] = []): Members | undefined {
    if (status !== 200) {
      if (!silent.includes(status))
        this.#note(path, status === notRecorded ? 'was not recorded' : `was refused with ${status}`)
      return undefined
    }
    if (typeof body !== 'object' || body === null || !('data' in body)) {
      this.#note(path, 'answered something that is no JSON with `data`')
      return undefined
    }
    return (body.data ?? undefined) as Members | undefined
  }
}
