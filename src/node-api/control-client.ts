// The control API as methods: each asks one endpoint through the sandbox's only way in, and is typed by its declaration.

import type { Sandbox } from '../sandbox/sandbox.js'
import type { ControlOperations, ScenarioFile, ShippedScenario } from './api-types.js'
import { ControlError, refusalOf } from './refused-call.js'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Operation = keyof ControlOperations
type PathOf<M extends Method> = Operation extends infer O ? (O extends `${M} ${infer P}` ? P : never) : never
type Part<M extends Method, P extends string, Name extends string> = `${M} ${P}` extends Operation
  ? ControlOperations[`${M} ${P}`] extends Readonly<Record<Name, infer T>>
    ? T
    : never
  : never

/** What an endpoint of the control API answers. */
export type Answer<M extends Method, P extends string> = Part<M, P, 'answer'>
/** The body that an endpoint of the control API takes. */
export type Body<M extends Method, P extends string> = Part<M, P, 'body'>
/** The query that an endpoint of the control API takes. */
export type Query<M extends Method, P extends string> = Part<M, P, 'query'>

interface Question<M extends Method, P extends string> {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Query<M, P>
  readonly body?: Body<M, P>
}

type Ask = <M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  question?: Question<M, P>,
) => Promise<Answer<M, P>>

const askOf =
  (sandbox: () => Sandbox): Ask =>
  async (method, template, { params = {}, query = {}, body } = {}) => {
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
    const set = Object.entries(query as Record<string, string | undefined>).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    const reply = await sandbox().handle({
      method,
      path,
      query: Object.fromEntries(set),
      body: body as object | undefined,
    })
    if (reply.status !== 200) throw new ControlError(refusalOf(reply))
    return JSON.parse(Buffer.from(reply.body).toString()) as never
  }

/** The control API as methods, named as its paths are. Each rejects with a {@link ControlError} when it is refused. */
export class ControlClient {
  readonly #ask: Ask

  /** @internal */
  constructor(sandbox: () => Sandbox) {
    this.#ask = askOf(sandbox)
  }

  /** Returns to the start, in one step: bank, clock, tokens, settings, faults and journal. */
  readonly reset = () => this.#ask('POST', '/_sandbox/reset')

  /** Everything that the bank is, but for the calls that were made. */
  readonly snapshot = () => this.#ask('GET', '/_sandbox/state')
  /** Brings a {@link snapshot} back, also one of another sandbox. */
  readonly restore = (snapshot: Body<'PUT', '/_sandbox/state'>) =>
    this.#ask('PUT', '/_sandbox/state', { body: snapshot })

  /** Moments of the workspace to go back to; the last twenty are kept. */
  readonly checkpoints = {
    /** The checkpoints, oldest first; the last twenty are kept. */
    list: async () => (await this.#ask('GET', '/_sandbox/checkpoints')).checkpoints,
    /** Keeps everything as it is now, but for the calls that were made. */
    create: (name?: string) =>
      this.#ask('POST', '/_sandbox/checkpoints', { body: { ...(name !== undefined && { name }) } }),
    /** Goes back to a checkpoint: bank, clock, chance, tokens, settings, faults and stubs. */
    restore: (id: string) => this.#ask('POST', '/_sandbox/checkpoints/{id}/restore', { params: { id } }),
    /** Forgets a checkpoint. */
    delete: (id: string) => this.#ask('DELETE', '/_sandbox/checkpoints/{id}', { params: { id } }),
  }

  /** What happens by itself as the clock goes on, soonest first. */
  readonly upcoming = async (query: Query<'GET', '/_sandbox/upcoming'> = {}) =>
    (await this.#ask('GET', '/_sandbox/upcoming', { query })).upcoming

  /** Situations to start from. */
  readonly scenarios = {
    /** The shipped scenarios. */
    list: async () => (await this.#ask('GET', '/_sandbox/scenarios')).scenarios,
    /** Starts anew from a shipped scenario, by its name, or from one that is written out. */
    use: (scenario: ShippedScenario | ScenarioFile, seed?: number) =>
      this.#ask('POST', '/_sandbox/scenario', {
        body: { scenario: scenario as string | Record<string, unknown>, ...(seed !== undefined && { seed }) },
      }),
  }

  /** Banks of their own in this sandbox, with credentials of their own. */
  readonly workspaces = {
    /** The workspaces, the main one first. */
    list: async () => (await this.#ask('GET', '/_sandbox/workspaces')).workspaces,
    /** Make a bank of its own, with credentials of its own. */
    create: (body: Body<'POST', '/_sandbox/workspaces'> = {}) =>
      this.#ask('POST', '/_sandbox/workspaces', { body }),
    /** One workspace. */
    get: (name: string) => this.#ask('GET', '/_sandbox/workspaces/{name}', { params: { name } }),
    /** Remove a workspace; its tokens and credentials are worthless from then on. */
    delete: (name: string) => this.#ask('DELETE', '/_sandbox/workspaces/{name}', { params: { name } }),
  }

  /** The sandbox's time, on which everything depends that time changes. */
  readonly clock = {
    /** The sandbox's time. */
    get: () => this.#ask('GET', '/_sandbox/clock'),
    /** To a date or an instant, ISO 8601. */
    set: (set: string) => this.#ask('POST', '/_sandbox/clock', { body: { set } }),
    /** By an ISO 8601 duration: `P1D`, `PT30M`. What is due by then happens at once. */
    advance: (advance: string) => this.#ask('POST', '/_sandbox/clock', { body: { advance } }),
    /** Set, advance, freeze or resume the clock; what was due by then happens at once. */
    freeze: () => this.#ask('POST', '/_sandbox/clock', { body: { freeze: true } }),
    /** Set, advance, freeze or resume the clock; what was due by then happens at once. */
    resume: () => this.#ask('POST', '/_sandbox/clock', { body: { resume: true } }),
  }

  /** What the bank decides by: settlement time, page size, rate limit, hook policies. */
  readonly settings = {
    /** The settings of the workspace: settlement time, page size, rate limit, card code. */
    get: () => this.#ask('GET', '/_sandbox/settings'),
    /** What is left out stays as it is. */
    change: (body: Body<'PUT', '/_sandbox/settings'>) => this.#ask('PUT', '/_sandbox/settings', { body }),
  }

  /** What is to go wrong. */
  readonly faults = {
    /** The faults that are set, and how often each has struck. */
    list: async () => (await this.#ask('GET', '/_sandbox/faults')).faults,
    /** Set a fault: a status, a broken connection, a delay; the first rule that matches a call wins. */
    add: (body: Body<'POST', '/_sandbox/faults'>) => this.#ask('POST', '/_sandbox/faults', { body }),
    /** Take back one fault. */
    delete: (id: string) => this.#ask('DELETE', '/_sandbox/faults/{id}', { params: { id } }),
    /** Take back all faults. */
    clear: () => this.#ask('DELETE', '/_sandbox/faults'),
  }

  /** The calls that were made: what the code under test asked. */
  readonly requests = {
    /** The calls that were made, oldest first; the last thousand are kept. */
    list: async (query: Query<'GET', '/_sandbox/requests'> = {}) =>
      (await this.#ask('GET', '/_sandbox/requests', { query })).requests,
    /** Rejects with status 409, and what came nearest, when the calls are not as expected. */
    verify: (
      match: Body<'POST', '/_sandbox/requests/verify'>['match'],
      count?: Body<'POST', '/_sandbox/requests/verify'>['count'],
    ) => this.#ask('POST', '/_sandbox/requests/verify', { body: { match, ...(count && { count }) } }),
    /** An HTTP Archive, for tools that show one. */
    har: (query: Query<'GET', '/_sandbox/requests/har'> = {}) =>
      this.#ask('GET', '/_sandbox/requests/har', { query }),
    /** Forget the calls that were made. */
    clear: () => this.#ask('DELETE', '/_sandbox/requests'),
  }

  /** What card code called. */
  readonly outbound = {
    /** What card code has called, oldest first; secrets are redacted. */
    list: async (query: Query<'GET', '/_sandbox/outbound'> = {}) =>
      (await this.#ask('GET', '/_sandbox/outbound', { query })).calls,
    /** Rejects with status 409, and what came nearest, when the calls are not as expected. */
    verify: (
      match: Body<'POST', '/_sandbox/outbound/verify'>['match'],
      count?: Body<'POST', '/_sandbox/outbound/verify'>['count'],
    ) => this.#ask('POST', '/_sandbox/outbound/verify', { body: { match, ...(count && { count }) } }),
    /** Answers to the fetches of card code, without a network. */
    stubs: {
      list: async () => (await this.#ask('GET', '/_sandbox/outbound/stubs')).stubs,
      add: (body: Body<'POST', '/_sandbox/outbound/stubs'>) =>
        this.#ask('POST', '/_sandbox/outbound/stubs', { body }),
      delete: (id: string) => this.#ask('DELETE', '/_sandbox/outbound/stubs/{id}', { params: { id } }),
      clear: () => this.#ask('DELETE', '/_sandbox/outbound/stubs'),
    },
  }

  /** What is done with a card in a shop, or in online banking. */
  readonly cards = {
    /** The cards, with their account and whether code runs on them. */
    list: async () => (await this.#ask('GET', '/_sandbox/cards')).cards,
    /** What the card was used for, declined transactions too, newest first. */
    transactions: async (
      cardkey: string,
      query: Query<'GET', '/_sandbox/cards/{cardkey}/transactions'> = {},
    ) =>
      (await this.#ask('GET', '/_sandbox/cards/{cardkey}/transactions', { params: { cardkey }, query }))
        .transactions,
    /** Its code and variables, and what of it runs. */
    program: (cardkey: string) =>
      this.#ask('GET', '/_sandbox/cards/{cardkey}/program', { params: { cardkey } }),
    /** Saves code and variables, publishes, switches on or off: in one step; what is left out stays. */
    setProgram: (cardkey: string, body: Body<'PUT', '/_sandbox/cards/{cardkey}/program'>) =>
      this.#ask('PUT', '/_sandbox/cards/{cardkey}/program', { params: { cardkey }, body }),
    /** The saved versions of main.js, newest first. */
    versions: async (cardkey: string) =>
      (await this.#ask('GET', '/_sandbox/cards/{cardkey}/versions', { params: { cardkey } })).versions,
    /** What a draft of main.js would decide; nothing moves and nothing is saved. */
    simulate: (cardkey: string, body: Body<'POST', '/_sandbox/cards/{cardkey}/simulate'>) =>
      this.#ask('POST', '/_sandbox/cards/{cardkey}/simulate', { params: { cardkey }, body }),
    /** Mistakes in a main.js, found without running it. */
    lint: async (code: string, variables?: Readonly<Record<string, string>>) =>
      (
        await this.#ask('POST', '/_sandbox/lint', {
          body: { code, ...(variables && { variables: { ...variables } }) },
        })
      ).findings,
    /** Issue a card on an account, good for three years. */
    issue: (body: Body<'POST', '/_sandbox/cards'>) => this.#ask('POST', '/_sandbox/cards', { body }),
    /** Block a card: every transaction is declined. */
    block: (cardkey: string) => this.#ask('POST', '/_sandbox/cards/{cardkey}/block', { params: { cardkey } }),
    /** Unblock a card. */
    unblock: (cardkey: string) =>
      this.#ask('POST', '/_sandbox/cards/{cardkey}/unblock', { params: { cardkey } }),
    /**
     * Saves code as the card's main.js, publishes it and switches it on, in one step. Variables replace those that the
     * card has; without them they stay.
     */
    publish: (
      cardkey: string,
      code: string,
      { variables }: { readonly variables?: Readonly<Record<string, string>> } = {},
    ) =>
      this.#ask('PUT', '/_sandbox/cards/{cardkey}/program', {
        params: { cardkey },
        body: { code, publish: true, enabled: true, ...(variables && { variables: { ...variables } }) },
      }),
    /** A purchase, withdrawal or refund, through hooks and balance. */
    transact: (cardkey: string, body: Body<'POST', '/_sandbox/cards/{cardkey}/transactions'>) =>
      this.#ask('POST', '/_sandbox/cards/{cardkey}/transactions', { params: { cardkey }, body }),
    /** Sets a card's status: anything but Active declines every transaction. */
    setStatus: (cardkey: string, status: Body<'PUT', '/_sandbox/cards/{cardkey}/status'>['status']) =>
      this.#ask('PUT', '/_sandbox/cards/{cardkey}/status', { params: { cardkey }, body: { status } }),
    /** The rule without code that a card has. */
    rule: (cardkey: string) => this.#ask('GET', '/_sandbox/cards/{cardkey}/rule', { params: { cardkey } }),
    /** Chooses a rule: writes and publishes the code that carries it out, in place of what was there. */
    setRule: (cardkey: string, body: Body<'PUT', '/_sandbox/cards/{cardkey}/rule'>) =>
      this.#ask('PUT', '/_sandbox/cards/{cardkey}/rule', { params: { cardkey }, body }),
    /** Takes the rule off: no code is published any more. */
    clearRule: (cardkey: string) =>
      this.#ask('DELETE', '/_sandbox/cards/{cardkey}/rule', { params: { cardkey } }),
  }

  /** Card transactions after the purchase, by their id. */
  readonly transactions = {
    /** Everything that happened in one: hooks, logs, calls, ledger rows. */
    get: (id: string) => this.#ask('GET', '/_sandbox/transactions/{id}', { params: { id } }),
    /** The transactions of an account that have not settled, with their ids. */
    pending: async (accountId: string) =>
      (await this.#ask('GET', '/_sandbox/accounts/{accountId}/pending', { params: { accountId } }))
        .transactions,
    /** Posts a pending transaction today, without waiting for its settlement time. */
    settle: (id: string) => this.#ask('POST', '/_sandbox/transactions/{id}/settle', { params: { id } }),
    /** Takes a card transaction back: a pending one is released, a settled one evened out. */
    reverse: (id: string) => this.#ask('POST', '/_sandbox/transactions/{id}/reverse', { params: { id } }),
    /** Gives a card transaction another amount. */
    adjust: (id: string, centsAmount: number) =>
      this.#ask('POST', '/_sandbox/transactions/{id}/adjust', { params: { id }, body: { centsAmount } }),
  }

  /** Transfers and payments that wait for somebody to authorise them. */
  readonly payments = {
    /** Transfers and payments that wait for authorisation or did, oldest first. */
    list: async (query: Query<'GET', '/_sandbox/payments'> = {}) =>
      (await this.#ask('GET', '/_sandbox/payments', { query })).payments,
    /** Everybody who has to agree agrees: the money moves, if it and the limits still reach. */
    authorise: (reference: string) =>
      this.#ask('POST', '/_sandbox/payments/{reference}/authorise', { params: { reference } }),
    /** Somebody who has to agree does not: nothing moves. */
    decline: (reference: string) =>
      this.#ask('POST', '/_sandbox/payments/{reference}/decline', { params: { reference } }),
  }

  /** Whom the client may pay, as kept in online banking. */
  readonly beneficiaries = {
    /** Add a beneficiary; the API can pay it once it has been paid in the online channel. */
    add: (body: Body<'POST', '/_sandbox/beneficiaries'>) =>
      this.#ask('POST', '/_sandbox/beneficiaries', { body }),
    /** Paid once in the online channel: from then on the API can pay it. */
    markPaid: (
      beneficiaryId: string,
      body: Body<'POST', '/_sandbox/beneficiaries/{beneficiaryId}/paid'> = {},
    ) =>
      this.#ask('POST', '/_sandbox/beneficiaries/{beneficiaryId}/paid', { params: { beneficiaryId }, body }),
    /** Remove a beneficiary. */
    remove: (beneficiaryId: string) =>
      this.#ask('DELETE', '/_sandbox/beneficiaries/{beneficiaryId}', { params: { beneficiaryId } }),
  }

  /** The keys of the developer area. */
  readonly apiKeys = {
    /** The API keys. */
    list: async () => (await this.#ask('GET', '/_sandbox/api-keys')).apiKeys,
    /** Create an API key. */
    create: (body: Body<'POST', '/_sandbox/api-keys'>) => this.#ask('POST', '/_sandbox/api-keys', { body }),
    /** Change what an API key is called, which accounts it may access and what it may do, at once for its tokens too. */
    change: (key: string, body: Body<'PUT', '/_sandbox/api-keys/{key}'>) =>
      this.#ask('PUT', '/_sandbox/api-keys/{key}', { params: { key }, body }),
    /** Revoke an API key; its tokens are worthless from then on. */
    revoke: (key: string) => this.#ask('DELETE', '/_sandbox/api-keys/{key}', { params: { key } }),
  }

  /** A new secret for the client; the old one opens nothing any more. */
  readonly rotateSecret = (body: Body<'POST', '/_sandbox/client/secret'> = {}) =>
    this.#ask('POST', '/_sandbox/client/secret', { body })

  readonly profiles = {
    /** What may be paid at once and in a day, as set in online banking. */
    setLimits: (profileId: string, body: Body<'PUT', '/_sandbox/profiles/{profileId}/limits'>) =>
      this.#ask('PUT', '/_sandbox/profiles/{profileId}/limits', { params: { profileId }, body }),
  }

  readonly accounts = {
    /** With their balances, in rand cents. */
    list: async () => (await this.#ask('GET', '/_sandbox/accounts')).accounts,
    /** A window of the entries, newest first. */
    entries: (accountId: string, query: Query<'GET', '/_sandbox/accounts/{accountId}/entries'> = {}) =>
      this.#ask('GET', '/_sandbox/accounts/{accountId}/entries', { params: { accountId }, query }),
    /** Open an account, without money. */
    open: (body: Body<'POST', '/_sandbox/accounts'> = {}) =>
      this.#ask('POST', '/_sandbox/accounts', { body }),
    /** Renames it or changes its overdraft; what is left out stays as it is. */
    change: (accountId: string, body: Body<'PUT', '/_sandbox/accounts/{accountId}'>) =>
      this.#ask('PUT', '/_sandbox/accounts/{accountId}', { params: { accountId }, body }),
    /** Money that comes in or goes out: a salary, a debit order, a fee. */
    enter: (accountId: string, body: Body<'POST', '/_sandbox/accounts/{accountId}/entries'>) =>
      this.#ask('POST', '/_sandbox/accounts/{accountId}/entries', { params: { accountId }, body }),
    /** Who must authorise what is paid from the account. */
    setAuthorisation: (
      accountId: string,
      body: Body<'PUT', '/_sandbox/accounts/{accountId}/authorisation'>,
    ) => this.#ask('PUT', '/_sandbox/accounts/{accountId}/authorisation', { params: { accountId }, body }),
  }
}
