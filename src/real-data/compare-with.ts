// `compare`: checks a service, or a recording of it, against the declarations of the sandbox.

import type { Endpoint } from '../endpoint/endpoint.js'
import { parseDay, formatDay, dayOf } from '../determinism/day.js'
import { Router } from '../sandbox/router.js'
import { service } from '../service/index.js'
import { isJsonObject, type JsonObject } from '../protocol/json.js'
import { DriftCollector, driftKey, isDictionary, type Drift, type Refusal } from './drift.js'
import { recordedCalls } from './har-calls.js'
import {
  isPassing,
  ReadClient,
  RealDataError,
  type ReadAnswer,
  type ServiceCredentials,
} from './read-client.js'

/** Options of {@link compareWith}: a service, or a recording. */
export interface CompareOptions {
  /** Base address of the service. */
  readonly url?: string | undefined
  /** How the API is signed in to. Needed with `url`. */
  readonly credentials?: ServiceCredentials | undefined
  /** A parsed HAR document, instead of a service. */
  readonly har?: unknown
  /** Maximum requests per second. Default 2. */
  readonly rate?: number | undefined
  /** More than reads: `simulate` runs a harmless script; `write` also saves code and then restores the former code. */
  readonly allow?: 'simulate' | 'write' | undefined
  /** Drift that is known, as `drifts` of an earlier report: it does not count. */
  readonly accepted?: readonly Pick<Drift, 'endpoint' | 'situation' | 'kind' | 'path' | 'seen'>[] | undefined
  /** Told what is compared, one sentence each. */
  readonly onProgress?: ((text: string) => void) | undefined
  /** Ends the comparison: it rejects. Saved code is restored first. */
  readonly signal?: AbortSignal | undefined
}

/** The result of a comparison. */
export interface CompareReport {
  /** Differences that are not accepted, grouped by endpoint. */
  readonly drifts: readonly Drift[]
  /** How many differences were accepted. */
  readonly accepted: number
  /** Endpoints that were checked against their declarations. */
  readonly checked: readonly string[]
  /** What could not be checked, and why: one sentence each. */
  readonly skipped: readonly string[]
  /** What the service refused temporarily (429, 5xx): one sentence each. */
  readonly unfinished: readonly string[]
}

/** Compares. Rejects with a {@link RealDataError} when nothing can be compared. */
export async function compareWith(options: CompareOptions): Promise<CompareReport> {
  const run = new Comparison(options)
  if (options.har !== undefined) run.recording(options.har)
  else await run.service()
  const known = new Set(options.accepted?.map(driftKey))
  const drifts = run.collector.drifts.toSorted(
    (a, b) => Number(a.endpoint > b.endpoint) - Number(a.endpoint < b.endpoint),
  )
  const open = drifts.filter((drift) => !known.has(driftKey(drift)))
  return {
    drifts: open,
    accepted: drifts.length - open.length,
    checked: [...run.checked],
    skipped: run.skipped,
    unfinished: run.unfinished,
  }
}

const unknownAccount: Refusal = {
  statuses: [400],
  observed: (body) => typeof body === 'string' && body.includes('account is invalid'),
  words: 'the text that the account is invalid',
}
const badField: Refusal = {
  statuses: [400],
  observed: isDictionary,
  words: 'a dictionary of fields and messages',
}
const wrongToken: Refusal = {
  statuses: [401],
  observed: (body) => body === '' || body === null,
  words: 'no body',
}

const harmlessCode = `const beforeTransaction = async (authorization) => true
const afterTransaction = async (transaction) => {}
`

class Comparison {
  readonly collector = new DriftCollector()
  readonly checked = new Set<string>()
  readonly skipped: string[] = []
  readonly unfinished: string[] = []
  readonly #router = new Router(service)
  readonly #options: CompareOptions

  constructor(options: CompareOptions) {
    this.#options = options
  }

  /** Every recorded call to an endpoint of the service. */
  recording(har: unknown): void {
    let calls = 0
    for (const { method, path, answer } of recordedCalls(har)) {
      const match = this.#router.match(method, path.replace(/\?.*$/, ''))
      if (!match || !('endpoint' in match) || match.endpoint.produces !== undefined) continue
      calls++
      const { endpoint } = match
      // A browser records no body of cached, blocked or very large answers.
      if (answer.status < 200 || answer.status === 304 || (answer.status === 200 && answer.text === '')) {
        this.#skip(`${endpoint.method} ${endpoint.path} was recorded without its body.`)
        continue
      }
      this.checked.add(`${endpoint.method} ${endpoint.path}`)
      if (answer.status === 200) this.collector.check(endpoint, answer)
      else this.#recordedRefusal(endpoint, answer)
    }
    if (calls === 0) throw new RealDataError('The recording holds no call of this API.')
  }

  #recordedRefusal(endpoint: Endpoint, answer: ReadAnswer): void {
    const isBody = (body: unknown): boolean =>
      unknownAccount.observed(body) || isDictionary(body) || wrongToken.observed(body)
    const either: Refusal = {
      statuses: [400, 401, 403, 429, 500],
      observed: isBody,
      words: 'a body that the service was seen to send',
    }
    this.collector.checkRefusal(endpoint, `status ${answer.status}`, answer, either)
  }

  /** Calls the service: all reads, harmless wrong calls, and the operations that are allowed. */
  async service(): Promise<void> {
    const { url, credentials, rate, onProgress, allow, signal } = this.#options
    if (url === undefined || credentials === undefined)
      throw new RealDataError('Say which service to compare with: --url.', 2)
    const client = new ReadClient({ url, credentials, rate, onProgress, signal })
    const token = await client.signIn()
    this.#take('POST', '/identity/v2/oauth2/token', token)
    const ask = async (path: string): Promise<JsonObject> => {
      onProgress?.(`GET ${this.#endpoint('GET', path.replace(/\?.*$/, '')).path}`)
      const answer = await client.get(path)
      this.#take('GET', path, answer)
      return Object((answer.body as JsonObject | null)?.data) as JsonObject
    }
    const accounts = items(await ask('/za/pb/v1/accounts'), 'accounts')
    const today = formatDay(dayOf(client.dateMs ?? parseDay('2026-01-01')! * 86_400_000))
    for (const { accountId, profileId } of oneOfEachProduct(accounts))
      await this.#account(ask, String(accountId), String(profileId), today)
    for (const { profileId } of records(await ask('/za/pb/v1/profiles'))) {
      await ask(`/za/pb/v1/profiles/${String(profileId)}/accounts`)
      await ask(`/za/pb/v1/accounts/beneficiarycategories?profileId=${String(profileId)}`)
    }
    await ask('/za/pb/v1/accounts/beneficiaries')
    for (const list of ['countries', 'currencies', 'merchants']) await ask(`/za/v1/cards/${list}`)
    const cards = items(await ask('/za/v1/cards'), 'cards')
    for (const { CardKey, IsProgrammable } of cards) {
      const own = `/za/v1/cards/${String(CardKey)}`
      await ask(own)
      if (IsProgrammable !== true) continue
      for (const rest of ['code', 'environmentvariables', 'code/executions']) await ask(`${own}/${rest}`)
      const published = await client.get(`${own}/publishedcode`)
      if (published.status === 200) this.#take('GET', `${own}/publishedcode`, published)
    }
    await this.#wrongCalls(client, accounts)
    const card = cards.find(({ IsProgrammable }) => IsProgrammable === true)
    if (allow !== undefined && card) await this.#writes(client, `/za/v1/cards/${String(card.CardKey)}`, allow)
    if (this.checked.size <= 1)
      throw new RealDataError(
        `Nothing but the token could be read: ${[...this.unfinished, ...this.skipped].slice(0, 3).join(' ')}`,
      )
  }

  async #account(
    ask: (path: string) => Promise<JsonObject>,
    accountId: string,
    profileId: string,
    today: string,
  ): Promise<void> {
    const own = `/za/pb/v1/accounts/${accountId}`
    const from = formatDay(parseDay(today)! - 90)
    await ask(`${own}/balance`)
    await ask(`${own}/transactions?fromDate=${from}&toDate=${today}`)
    await ask(`${own}/transactions?fromDate=${from}&toDate=${today}&includePending=true`)
    await ask(`${own}/pending-transactions`)
    await ask(`${own}/documents?fromDate=${from}&toDate=${today}`)
    await ask(`/za/pb/v1/profiles/${profileId}/accounts/${accountId}/beneficiaries`)
    await ask(`/za/pb/v1/profiles/${profileId}/accounts/${accountId}/authorisationsetupdetails`)
  }

  /** Calls that are wrong on purpose and change nothing; none of them is a sign-in. */
  async #wrongCalls(client: ReadClient, accounts: readonly JsonObject[]): Promise<void> {
    const balance = this.#endpoint('GET', '/za/pb/v1/accounts/1/balance')
    const rows = this.#endpoint('GET', '/za/pb/v1/accounts/1/transactions')
    const categories = this.#endpoint('GET', '/za/pb/v1/accounts/beneficiarycategories')
    const list = this.#endpoint('GET', '/za/pb/v1/accounts')
    const check = (endpoint: Endpoint, situation: string, answer: ReadAnswer, refusal: Refusal): void =>
      this.collector.checkRefusal(endpoint, situation, answer, refusal)
    check(
      balance,
      'unknown account',
      await client.get('/za/pb/v1/accounts/0000000000000000000000000/balance'),
      unknownAccount,
    )
    const known = typeof accounts[0]?.accountId === 'string' ? accounts[0].accountId : ''
    if (known !== '')
      check(
        rows,
        'bad date',
        await client.get(`/za/pb/v1/accounts/${known}/transactions?fromDate=2026-13-45`),
        badField,
      )
    check(
      categories,
      'missing profileId',
      await client.get('/za/pb/v1/accounts/beneficiarycategories'),
      badField,
    )
    check(
      list,
      'wrong token',
      await client.getWith('/za/pb/v1/accounts', 'Bearer 0000000000000000000000000000'),
      wrongToken,
    )
    check(list, 'no token', await client.getWith('/za/pb/v1/accounts', undefined), wrongToken)
  }

  async #writes(client: ReadClient, own: string, allow: 'simulate' | 'write'): Promise<void> {
    const execute = {
      simulationcode: harmlessCode,
      centsAmount: '100',
      currencyCode: 'zar',
      merchantCode: 5462,
      merchantCity: 'Cape Town',
      countryCode: 'ZA',
    }
    this.#take('POST', `${own}/code/execute`, await client.post(`${own}/code/execute`, execute))
    if (allow !== 'write') return
    const before = await client.get(`${own}/code`)
    const { code } = Object((Object((Object(before.body) as JsonObject).data) as JsonObject).result) as {
      code?: unknown
    }
    if (typeof code !== 'string') {
      this.skipped.push('Saving code was not tried: the saved code could not be read first.')
      return
    }
    const { credentials, url, rate } = this.#options
    try {
      this.#take('POST', `${own}/code`, await client.post(`${own}/code`, { code: harmlessCode }))
    } finally {
      // This client is not interrupted, so that neither Ctrl-C nor a lost answer leaves other code behind.
      const restoring = new ReadClient({ url: url!, credentials: credentials!, rate })
      const { status } = await restoring.post(`${own}/code`, { code })
      if (status !== 200)
        this.skipped.push(
          `The saved code could not be put back: the service answered ${status}. Save it again.`,
        )
    }
  }

  #skip(sentence: string): void {
    if (!this.skipped.includes(sentence)) this.skipped.push(sentence)
  }

  #take(method: string, path: string, answer: ReadAnswer): void {
    const endpoint = this.#endpoint(method, path.replace(/\?.*$/, ''))
    const name = `${endpoint.method} ${endpoint.path}`
    // What the API key may not read cannot be compared; it does not count as drift.
    if (answer.status === 401 || answer.status === 403) {
      this.#skip(`${name} was refused with ${answer.status}: the API key lacks its permission.`)
      return
    }
    if (isPassing(answer)) {
      const sentence = `${name} could not be compared: it kept answering ${answer.status}.`
      if (!this.unfinished.includes(sentence)) this.unfinished.push(sentence)
      return
    }
    this.checked.add(name)
    this.collector.check(endpoint, answer)
  }

  #endpoint(method: string, path: string): Endpoint {
    const match = this.#router.match(method, path)
    if (!match || !('endpoint' in match))
      throw new RealDataError(`${method} ${path} is not an endpoint of the API.`)
    return match.endpoint
  }
}

const records = (list: unknown): JsonObject[] =>
  (Array.isArray(list) ? (list as unknown[]) : []).filter(isJsonObject)

const items = (data: JsonObject, name: string): JsonObject[] => records(data[name])

/** Accounts of one product answer alike: one of each is enough. */
const oneOfEachProduct = (accounts: readonly JsonObject[]): JsonObject[] => [
  ...new Map(accounts.toReversed().map((account) => [account.productName, account])).values(),
]
