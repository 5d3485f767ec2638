// The control API as methods: each calls one endpoint through the sandbox's entry point, and the endpoint's
// declaration types it.

import { fillPath } from '../protocol/path.js'
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

/** The answer of an endpoint of the control API. */
type Answer<M extends Method, P extends string> = Part<M, P, 'answer'>
/** The body of an endpoint of the control API. */
export type Body<M extends Method, P extends string> = Part<M, P, 'body'>
/** The query of an endpoint of the control API. */
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
  async (method, template, { params, query = {}, body } = {}) => {
    const set = Object.entries(query as Record<string, string | undefined>).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    const reply = await sandbox().handle({
      method,
      path: fillPath(template, params),
      query: Object.fromEntries(set),
      body: body as object | undefined,
    })
    if (reply.status !== 200) throw new ControlError(refusalOf(reply))
    return JSON.parse(Buffer.from(reply.body).toString()) as never
  }

/** The control API as methods, named after its paths. Each rejects with a {@link ControlError} when it is refused. */
export class ControlClient {
  readonly #ask: Ask

  /** @internal */
  constructor(sandbox: () => Sandbox) {
    this.#ask = askOf(sandbox)
  }

  /** Returns to the start, in one step: bank, clock, tokens, settings, faults and journal. */
  readonly reset = () => this.#ask('POST', '/_sandbox/reset')

  /** The whole bank except the journal. */
  readonly snapshot = () => this.#ask('GET', '/_sandbox/state')
  /** Imports a {@link snapshot}, also one of another sandbox. */
  readonly restore = (snapshot: Body<'PUT', '/_sandbox/state'>) =>
    this.#ask('PUT', '/_sandbox/state', { body: snapshot })

  /** Moments of the workspace to go back to; the last twenty are stored. */
  readonly checkpoints = {
    /** The checkpoints, oldest first; the last twenty are stored. */
    list: async () => (await this.#ask('GET', '/_sandbox/checkpoints')).checkpoints,
    /** Stores everything as it is now, except the journal. */
    create: (name?: string) =>
      this.#ask('POST', '/_sandbox/checkpoints', { body: { ...(name !== undefined && { name }) } }),
    /** Goes back to a checkpoint: bank, clock, chance, tokens, settings, faults and stubs. */
    restore: (id: string) => this.#ask('POST', '/_sandbox/checkpoints/{id}/restore', { params: { id } }),
    /** Deletes a checkpoint. */
    delete: (id: string) => this.#ask('DELETE', '/_sandbox/checkpoints/{id}', { params: { id } }),
  }

  /** Upcoming events, soonest first. */
  readonly upcoming = async (query: Query<'GET', '/_sandbox/upcoming'> = {}) =>
    (await this.#ask('GET', '/_sandbox/upcoming', { query })).upcoming

  /** Scenarios: banks to start from. */
  readonly scenarios = {
    /** The shipped scenarios. */
    list: async () => (await this.#ask('GET', '/_sandbox/scenarios')).scenarios,
    /** Restarts from a shipped scenario, by its name, or from one given inline. */
    use: (scenario: ShippedScenario | ScenarioFile, seed?: number) =>
      this.#ask('POST', '/_sandbox/scenario', {
        body: { scenario: scenario as string | Record<string, unknown>, ...(seed !== undefined && { seed }) },
      }),
  }

  /** Separate banks in this sandbox, with their own credentials. */
  readonly workspaces = {
    /** The workspaces, the main one first. */
    list: async () => (await this.#ask('GET', '/_sandbox/workspaces')).workspaces,
    /** Creates a separate bank with its own credentials. */
    create: (body: Body<'POST', '/_sandbox/workspaces'> = {}) =>
      this.#ask('POST', '/_sandbox/workspaces', { body }),
    /** One workspace. */
    get: (name: string) => this.#ask('GET', '/_sandbox/workspaces/{name}', { params: { name } }),
    /** Removes a workspace; its tokens and credentials become invalid. */
    delete: (name: string) => this.#ask('DELETE', '/_sandbox/workspaces/{name}', { params: { name } }),
  }

  /** The sandbox's time; everything that depends on time follows it. */
  readonly clock = {
    /** The sandbox's time. */
    get: () => this.#ask('GET', '/_sandbox/clock'),
    /** Moves to a date or an instant, ISO 8601. */
    set: (set: string) => this.#ask('POST', '/_sandbox/clock', { body: { set } }),
    /** Advances by an ISO 8601 duration: `P1D`, `PT30M`. What is due by then happens at once. */
    advance: (advance: string) => this.#ask('POST', '/_sandbox/clock', { body: { advance } }),
    /** Freezes the clock. */
    freeze: () => this.#ask('POST', '/_sandbox/clock', { body: { freeze: true } }),
    /** Lets the clock run. */
    resume: () => this.#ask('POST', '/_sandbox/clock', { body: { resume: true } }),
  }

  /** The rules of the bank: settlement time, page size, rate limit, hook policies. */
  readonly settings = {
    /** The settings of the workspace: settlement time, page size, rate limit, card code. */
    get: () => this.#ask('GET', '/_sandbox/settings'),
    /** Changes settings; omitted ones stay. */
    change: (body: Body<'PUT', '/_sandbox/settings'>) => this.#ask('PUT', '/_sandbox/settings', { body }),
  }

  /** Injected faults. */
  readonly faults = {
    /** The faults that are set, and how often each was applied. */
    list: async () => (await this.#ask('GET', '/_sandbox/faults')).faults,
    /** Sets a fault: a status, a broken connection, a delay; the first rule that matches a call wins. */
    add: (body: Body<'POST', '/_sandbox/faults'>) => this.#ask('POST', '/_sandbox/faults', { body }),
    /** Removes one fault. */
    delete: (id: string) => this.#ask('DELETE', '/_sandbox/faults/{id}', { params: { id } }),
    /** Removes all faults. */
    clear: () => this.#ask('DELETE', '/_sandbox/faults'),
  }

  /** The journal: the calls of the code under test. */
  readonly requests = {
    /** The calls that were made, oldest first; the last thousand are stored. */
    list: async (query: Query<'GET', '/_sandbox/requests'> = {}) =>
      (await this.#ask('GET', '/_sandbox/requests', { query })).requests,
    /** Rejects with status 409 and the nearest calls when the calls are not as expected. */
    verify: (
      match: Body<'POST', '/_sandbox/requests/verify'>['match'],
      count?: Body<'POST', '/_sandbox/requests/verify'>['count'],
    ) => this.#ask('POST', '/_sandbox/requests/verify', { body: { match, ...(count && { count }) } }),
    /** The journal as an HTTP Archive (HAR). */
    har: (query: Query<'GET', '/_sandbox/requests/har'> = {}) =>
      this.#ask('GET', '/_sandbox/requests/har', { query }),
    /** Clears the journal. */
    clear: () => this.#ask('DELETE', '/_sandbox/requests'),
  }

  /** The calls of card code. */
  readonly outbound = {
    /** The calls of card code, oldest first; secrets are redacted. */
    list: async (query: Query<'GET', '/_sandbox/outbound'> = {}) =>
      (await this.#ask('GET', '/_sandbox/outbound', { query })).calls,
    /** Rejects with status 409 and the nearest calls when the calls are not as expected. */
    verify: (
      match: Body<'POST', '/_sandbox/outbound/verify'>['match'],
      count?: Body<'POST', '/_sandbox/outbound/verify'>['count'],
    ) => this.#ask('POST', '/_sandbox/outbound/verify', { body: { match, ...(count && { count }) } }),
    /** Answers to the fetches of card code, without a network. */
    stubs: {
      /** The stubs, oldest first. */
      list: async () => (await this.#ask('GET', '/_sandbox/outbound/stubs')).stubs,
      /** Answers calls of card code in place of the network. */
      add: (body: Body<'POST', '/_sandbox/outbound/stubs'>) =>
        this.#ask('POST', '/_sandbox/outbound/stubs', { body }),
      /** Removes one stub. */
      delete: (id: string) => this.#ask('DELETE', '/_sandbox/outbound/stubs/{id}', { params: { id } }),
      /** Removes every stub. */
      clear: () => this.#ask('DELETE', '/_sandbox/outbound/stubs'),
    },
  }

  /** Cards, as used in a shop or managed in online banking. */
  readonly cards = {
    /** The cards, with their account and whether code runs on them. */
    list: async () => (await this.#ask('GET', '/_sandbox/cards')).cards,
    /** The transactions of the card, including declined ones, newest first. */
    transactions: async (
      cardkey: string,
      query: Query<'GET', '/_sandbox/cards/{cardkey}/transactions'> = {},
    ) =>
      (await this.#ask('GET', '/_sandbox/cards/{cardkey}/transactions', { params: { cardkey }, query }))
        .transactions,
    /** Its code and variables, and the published version. */
    program: (cardkey: string) =>
      this.#ask('GET', '/_sandbox/cards/{cardkey}/program', { params: { cardkey } }),
    /** Saves code and variables, publishes, switches code on or off: in one step; omitted fields stay. */
    setProgram: (cardkey: string, body: Body<'PUT', '/_sandbox/cards/{cardkey}/program'>) =>
      this.#ask('PUT', '/_sandbox/cards/{cardkey}/program', { params: { cardkey }, body }),
    /** The saved versions of main.js, newest first. */
    versions: async (cardkey: string) =>
      (await this.#ask('GET', '/_sandbox/cards/{cardkey}/versions', { params: { cardkey } })).versions,
    /** Simulates a purchase with a draft of main.js; no money moves, and nothing is saved. */
    simulate: (cardkey: string, body: Body<'POST', '/_sandbox/cards/{cardkey}/simulate'>) =>
      this.#ask('POST', '/_sandbox/cards/{cardkey}/simulate', { params: { cardkey }, body }),
    /** Finds mistakes in a main.js without running it. */
    lint: async (code: string, variables?: Readonly<Record<string, string>>) =>
      (
        await this.#ask('POST', '/_sandbox/lint', {
          body: { code, ...(variables && { variables: { ...variables } }) },
        })
      ).findings,
    /** Issues a card on an account, valid for three years. */
    issue: (body: Body<'POST', '/_sandbox/cards'>) => this.#ask('POST', '/_sandbox/cards', { body }),
    /** Blocks a card: every transaction is declined. */
    block: (cardkey: string) => this.#ask('POST', '/_sandbox/cards/{cardkey}/block', { params: { cardkey } }),
    /** Unblocks a card. */
    unblock: (cardkey: string) =>
      this.#ask('POST', '/_sandbox/cards/{cardkey}/unblock', { params: { cardkey } }),
    /**
     * Saves code as the card's main.js, publishes it and switches it on, in one step. Variables replace those of the
     * card; when omitted they stay.
     */
    publish: (
      cardkey: string,
      code: string,
      {
        variables,
      }: {
        /** All variables of the code, in place of those before. */
        readonly variables?: Readonly<Record<string, string>>
      } = {},
    ) =>
      this.#ask('PUT', '/_sandbox/cards/{cardkey}/program', {
        params: { cardkey },
        body: { code, publish: true, enabled: true, ...(variables && { variables: { ...variables } }) },
      }),
    /** A purchase, withdrawal or refund, with hooks and balance check. */
    transact: (cardkey: string, body: Body<'POST', '/_sandbox/cards/{cardkey}/transactions'>) =>
      this.#ask('POST', '/_sandbox/cards/{cardkey}/transactions', { params: { cardkey }, body }),
    /** Sets a card's status: with any status other than Active every transaction is declined. */
    setStatus: (cardkey: string, status: Body<'PUT', '/_sandbox/cards/{cardkey}/status'>['status']) =>
      this.#ask('PUT', '/_sandbox/cards/{cardkey}/status', { params: { cardkey }, body: { status } }),
    /** The rule without code of a card. */
    rule: (cardkey: string) => this.#ask('GET', '/_sandbox/cards/{cardkey}/rule', { params: { cardkey } }),
    /** Chooses a rule: writes and publishes code that implements it, replacing the card's code. */
    setRule: (cardkey: string, body: Body<'PUT', '/_sandbox/cards/{cardkey}/rule'>) =>
      this.#ask('PUT', '/_sandbox/cards/{cardkey}/rule', { params: { cardkey }, body }),
    /** Removes the rule; then no code is published. */
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
    /** Reverses a card transaction: releases a pending one, posts a correction for a settled one. */
    reverse: (id: string) => this.#ask('POST', '/_sandbox/transactions/{id}/reverse', { params: { id } }),
    /** Changes the amount of a card transaction. */
    adjust: (id: string, centsAmount: number) =>
      this.#ask('POST', '/_sandbox/transactions/{id}/adjust', { params: { id }, body: { centsAmount } }),
  }

  /** Transfers and payments that need authorisation. */
  readonly payments = {
    /** Transfers and payments that wait or waited for authorisation, oldest first. */
    list: async (query: Query<'GET', '/_sandbox/payments'> = {}) =>
      (await this.#ask('GET', '/_sandbox/payments', { query })).payments,
    /** All authorisers agree: the money moves, if funds and limits still suffice. */
    authorise: (reference: string) =>
      this.#ask('POST', '/_sandbox/payments/{reference}/authorise', { params: { reference } }),
    /** An authoriser declines: no money moves. */
    decline: (reference: string) =>
      this.#ask('POST', '/_sandbox/payments/{reference}/decline', { params: { reference } }),
  }

  /** The beneficiaries of online banking. */
  readonly beneficiaries = {
    /** Adds a beneficiary; the API can pay it once it has been paid in the online channel. */
    add: (body: Body<'POST', '/_sandbox/beneficiaries'>) =>
      this.#ask('POST', '/_sandbox/beneficiaries', { body }),
    /** Marks it as paid in the online channel, so that the API may pay it. */
    markPaid: (
      beneficiaryId: string,
      body: Body<'POST', '/_sandbox/beneficiaries/{beneficiaryId}/paid'> = {},
    ) =>
      this.#ask('POST', '/_sandbox/beneficiaries/{beneficiaryId}/paid', { params: { beneficiaryId }, body }),
    /** Removes a beneficiary. */
    remove: (beneficiaryId: string) =>
      this.#ask('DELETE', '/_sandbox/beneficiaries/{beneficiaryId}', { params: { beneficiaryId } }),
  }

  /** The keys of the developer area. */
  readonly apiKeys = {
    /** The API keys. */
    list: async () => (await this.#ask('GET', '/_sandbox/api-keys')).apiKeys,
    /** Creates an API key. */
    create: (body: Body<'POST', '/_sandbox/api-keys'>) => this.#ask('POST', '/_sandbox/api-keys', { body }),
    /** Changes an API key's alias, accounts or permissions; this affects its tokens at once. */
    change: (key: string, body: Body<'PUT', '/_sandbox/api-keys/{key}'>) =>
      this.#ask('PUT', '/_sandbox/api-keys/{key}', { params: { key }, body }),
    /** Revokes an API key; its tokens become invalid. */
    revoke: (key: string) => this.#ask('DELETE', '/_sandbox/api-keys/{key}', { params: { key } }),
  }

  /** Sets a new secret for the client; the old one becomes invalid. */
  readonly rotateSecret = (body: Body<'POST', '/_sandbox/client/secret'> = {}) =>
    this.#ask('POST', '/_sandbox/client/secret', { body })

  /** The profiles of the client. */
  readonly profiles = {
    /** Sets the limits for one payment and for a day, as in online banking. */
    setLimits: (profileId: string, body: Body<'PUT', '/_sandbox/profiles/{profileId}/limits'>) =>
      this.#ask('PUT', '/_sandbox/profiles/{profileId}/limits', { params: { profileId }, body }),
  }

  /** The accounts, their entries and who must authorise payments. */
  readonly accounts = {
    /** The accounts with their balances, in rand cents. */
    list: async () => (await this.#ask('GET', '/_sandbox/accounts')).accounts,
    /** A window of the entries, newest first. */
    entries: (accountId: string, query: Query<'GET', '/_sandbox/accounts/{accountId}/entries'> = {}) =>
      this.#ask('GET', '/_sandbox/accounts/{accountId}/entries', { params: { accountId }, query }),
    /** Opens an account without money. */
    open: (body: Body<'POST', '/_sandbox/accounts'> = {}) =>
      this.#ask('POST', '/_sandbox/accounts', { body }),
    /** Renames it or changes its overdraft; omitted fields stay. */
    change: (accountId: string, body: Body<'PUT', '/_sandbox/accounts/{accountId}'>) =>
      this.#ask('PUT', '/_sandbox/accounts/{accountId}', { params: { accountId }, body }),
    /** Posts money that enters or leaves: a salary, a debit order, a fee. */
    enter: (accountId: string, body: Body<'POST', '/_sandbox/accounts/{accountId}/entries'>) =>
      this.#ask('POST', '/_sandbox/accounts/{accountId}/entries', { params: { accountId }, body }),
    /** Sets who must authorise payments from the account. */
    setAuthorisation: (
      accountId: string,
      body: Body<'PUT', '/_sandbox/accounts/{accountId}/authorisation'>,
    ) => this.#ask('PUT', '/_sandbox/accounts/{accountId}/authorisation', { params: { accountId }, body }),
  }
}
