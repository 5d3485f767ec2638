// The control API as methods: each asks one endpoint through the sandbox's only way in, and is typed by its declaration.

import type { ControlEndpoint } from '../control/index.js'
import type { InputError } from '../protocol/problem.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** The control API refused a call: what was wrong, and what would be right. */
export class ControlError extends Error {
  override readonly name = 'ControlError'

  /**
   * @param status the HTTP status that a caller over HTTP gets
   * @param type the refusal, `urn:sandbox-server:problem:` and its code
   * @param faults each fault of bad input, with a JSON pointer; not `errors`, which Jest prints as those of an AggregateError
   */
  constructor(
    message: string,
    readonly status: number,
    readonly type: string,
    readonly faults: readonly InputError[],
  ) {
    super(message)
  }
}

type Method = ControlEndpoint['method']
type PathOf<M extends Method> = Extract<ControlEndpoint, { method: M }>['path']
type TypesOf<M extends Method, P extends string> = NonNullable<
  Extract<ControlEndpoint, { method: M; path: P }>['types']
>
/** What an endpoint of the control API answers. */
export type Answer<M extends Method, P extends string> = TypesOf<M, P>['answer']
/** The body that an endpoint of the control API takes. */
export type Body<M extends Method, P extends string> = TypesOf<M, P>['body']
/** The query that an endpoint of the control API takes. */
export type Query<M extends Method, P extends string> = TypesOf<M, P>['query']

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
    const reply = await sandbox().handle({ method, path, query: Object.fromEntries(set), body })
    const answer: unknown = JSON.parse(Buffer.from(reply.body).toString())
    if (reply.status === 200) return answer as never
    const { detail, type, errors = [] } = answer as { detail: string; type: string; errors?: InputError[] }
    throw new ControlError(detail, reply.status, type, errors)
  }

/** The control API as methods, named as its paths are. Each rejects with a {@link ControlError} when it is refused. */
export const controlFace = (sandbox: () => Sandbox) => {
  const ask = askOf(sandbox)
  return {
    /** Returns to the start, in one step: bank, clock, tokens, settings, faults and journal. */
    reset: () => ask('POST', '/_sandbox/reset'),

    /** Everything that the bank is, but for the calls that were made. */
    snapshot: () => ask('GET', '/_sandbox/state'),
    /** Brings a {@link snapshot} back, also one of another sandbox. */
    restore: (snapshot: Body<'PUT', '/_sandbox/state'>) => ask('PUT', '/_sandbox/state', { body: snapshot }),

    /** Moments of the workspace to go back to; the last twenty are kept. */
    checkpoints: {
      list: async () => (await ask('GET', '/_sandbox/checkpoints')).checkpoints,
      /** Keeps everything as it is now, but for the calls that were made. */
      create: (name?: string) =>
        ask('POST', '/_sandbox/checkpoints', { body: { ...(name !== undefined && { name }) } }),
      restore: (id: string) => ask('POST', '/_sandbox/checkpoints/{id}/restore', { params: { id } }),
      delete: (id: string) => ask('DELETE', '/_sandbox/checkpoints/{id}', { params: { id } }),
    },

    /** What happens by itself as the clock goes on, soonest first. */
    upcoming: async (query: Query<'GET', '/_sandbox/upcoming'> = {}) =>
      (await ask('GET', '/_sandbox/upcoming', { query })).upcoming,

    /** Situations to start from. */
    scenarios: {
      list: async () => (await ask('GET', '/_sandbox/scenarios')).scenarios,
      /** Starts anew from a shipped scenario, by its name, or from one that is written out. */
      use: (scenario: Body<'POST', '/_sandbox/scenario'>['scenario'], seed?: number) =>
        ask('POST', '/_sandbox/scenario', { body: { scenario, ...(seed !== undefined && { seed }) } }),
    },

    /** Banks of their own in this sandbox, with credentials of their own. */
    workspaces: {
      list: async () => (await ask('GET', '/_sandbox/workspaces')).workspaces,
      create: (body: Body<'POST', '/_sandbox/workspaces'> = {}) =>
        ask('POST', '/_sandbox/workspaces', { body }),
      get: (name: string) => ask('GET', '/_sandbox/workspaces/{name}', { params: { name } }),
      delete: (name: string) => ask('DELETE', '/_sandbox/workspaces/{name}', { params: { name } }),
    },

    /** The sandbox's time, on which everything depends that time changes. */
    clock: {
      get: () => ask('GET', '/_sandbox/clock'),
      /** To a date or an instant, ISO 8601. */
      set: (set: string) => ask('POST', '/_sandbox/clock', { body: { set } }),
      /** By an ISO 8601 duration: `P1D`, `PT30M`. What is due by then happens at once. */
      advance: (advance: string) => ask('POST', '/_sandbox/clock', { body: { advance } }),
      freeze: () => ask('POST', '/_sandbox/clock', { body: { freeze: true } }),
      resume: () => ask('POST', '/_sandbox/clock', { body: { resume: true } }),
    },

    /** What the bank decides by: settlement time, page size, rate limit, hook policies. */
    settings: {
      get: () => ask('GET', '/_sandbox/settings'),
      /** What is left out stays as it is. */
      change: (body: Body<'PUT', '/_sandbox/settings'>) => ask('PUT', '/_sandbox/settings', { body }),
    },

    /** What is to go wrong. */
    faults: {
      list: async () => (await ask('GET', '/_sandbox/faults')).faults,
      add: (body: Body<'POST', '/_sandbox/faults'>) => ask('POST', '/_sandbox/faults', { body }),
      delete: (id: string) => ask('DELETE', '/_sandbox/faults/{id}', { params: { id } }),
      clear: () => ask('DELETE', '/_sandbox/faults'),
    },

    /** The calls that were made: what the code under test asked. */
    requests: {
      list: async (query: Query<'GET', '/_sandbox/requests'> = {}) =>
        (await ask('GET', '/_sandbox/requests', { query })).requests,
      /** Rejects with status 409, and what came nearest, when the calls are not as expected. */
      verify: (
        match: Body<'POST', '/_sandbox/requests/verify'>['match'],
        count?: Body<'POST', '/_sandbox/requests/verify'>['count'],
      ) => ask('POST', '/_sandbox/requests/verify', { body: { match, ...(count && { count }) } }),
      /** An HTTP Archive, for tools that show one. */
      har: (query: Query<'GET', '/_sandbox/requests/har'> = {}) =>
        ask('GET', '/_sandbox/requests/har', { query }),
      clear: () => ask('DELETE', '/_sandbox/requests'),
    },

    /** What card code called. */
    outbound: {
      list: async (query: Query<'GET', '/_sandbox/outbound'> = {}) =>
        (await ask('GET', '/_sandbox/outbound', { query })).calls,
      /** Rejects with status 409, and what came nearest, when the calls are not as expected. */
      verify: (
        match: Body<'POST', '/_sandbox/outbound/verify'>['match'],
        count?: Body<'POST', '/_sandbox/outbound/verify'>['count'],
      ) => ask('POST', '/_sandbox/outbound/verify', { body: { match, ...(count && { count }) } }),
      /** Answers to the fetches of card code, without a network. */
      stubs: {
        list: async () => (await ask('GET', '/_sandbox/outbound/stubs')).stubs,
        add: (body: Body<'POST', '/_sandbox/outbound/stubs'>) =>
          ask('POST', '/_sandbox/outbound/stubs', { body }),
        delete: (id: string) => ask('DELETE', '/_sandbox/outbound/stubs/{id}', { params: { id } }),
        clear: () => ask('DELETE', '/_sandbox/outbound/stubs'),
      },
    },

    /** What is done with a card in a shop, or in online banking. */
    cards: {
      list: async () => (await ask('GET', '/_sandbox/cards')).cards,
      /** What the card was used for, declined transactions too, newest first. */
      transactions: async (
        cardkey: string,
        query: Query<'GET', '/_sandbox/cards/{cardkey}/transactions'> = {},
      ) =>
        (await ask('GET', '/_sandbox/cards/{cardkey}/transactions', { params: { cardkey }, query }))
          .transactions,
      /** Its code and variables, and what of it runs. */
      program: (cardkey: string) => ask('GET', '/_sandbox/cards/{cardkey}/program', { params: { cardkey } }),
      /** Saves code and variables, publishes, switches on or off: in one step; what is left out stays. */
      setProgram: (cardkey: string, body: Body<'PUT', '/_sandbox/cards/{cardkey}/program'>) =>
        ask('PUT', '/_sandbox/cards/{cardkey}/program', { params: { cardkey }, body }),
      /** The saved versions of main.js, newest first. */
      versions: async (cardkey: string) =>
        (await ask('GET', '/_sandbox/cards/{cardkey}/versions', { params: { cardkey } })).versions,
      /** What a draft of main.js would decide; nothing moves and nothing is saved. */
      simulate: (cardkey: string, body: Body<'POST', '/_sandbox/cards/{cardkey}/simulate'>) =>
        ask('POST', '/_sandbox/cards/{cardkey}/simulate', { params: { cardkey }, body }),
      /** Mistakes in a main.js, found without running it. */
      lint: async (code: string, variables?: Readonly<Record<string, string>>) =>
        (await ask('POST', '/_sandbox/lint', { body: { code, ...(variables && { variables }) } })).findings,
      issue: (body: Body<'POST', '/_sandbox/cards'>) => ask('POST', '/_sandbox/cards', { body }),
      block: (cardkey: string) => ask('POST', '/_sandbox/cards/{cardkey}/block', { params: { cardkey } }),
      unblock: (cardkey: string) => ask('POST', '/_sandbox/cards/{cardkey}/unblock', { params: { cardkey } }),
      /** A purchase, withdrawal or refund, through hooks and balance. */
      transact: (cardkey: string, body: Body<'POST', '/_sandbox/cards/{cardkey}/transactions'>) =>
        ask('POST', '/_sandbox/cards/{cardkey}/transactions', { params: { cardkey }, body }),
      setStatus: (cardkey: string, status: Body<'PUT', '/_sandbox/cards/{cardkey}/status'>['status']) =>
        ask('PUT', '/_sandbox/cards/{cardkey}/status', { params: { cardkey }, body: { status } }),
      rule: (cardkey: string) => ask('GET', '/_sandbox/cards/{cardkey}/rule', { params: { cardkey } }),
      setRule: (cardkey: string, body: Body<'PUT', '/_sandbox/cards/{cardkey}/rule'>) =>
        ask('PUT', '/_sandbox/cards/{cardkey}/rule', { params: { cardkey }, body }),
      clearRule: (cardkey: string) =>
        ask('DELETE', '/_sandbox/cards/{cardkey}/rule', { params: { cardkey } }),
    },

    /** Card transactions after the purchase, by their id. */
    transactions: {
      /** Everything that happened in one: hooks, logs, calls, ledger rows. */
      get: (id: string) => ask('GET', '/_sandbox/transactions/{id}', { params: { id } }),
      pending: async (accountId: string) =>
        (await ask('GET', '/_sandbox/accounts/{accountId}/pending', { params: { accountId } })).transactions,
      settle: (id: string) => ask('POST', '/_sandbox/transactions/{id}/settle', { params: { id } }),
      reverse: (id: string) => ask('POST', '/_sandbox/transactions/{id}/reverse', { params: { id } }),
      adjust: (id: string, centsAmount: number) =>
        ask('POST', '/_sandbox/transactions/{id}/adjust', { params: { id }, body: { centsAmount } }),
    },

    /** Transfers and payments that wait for somebody to authorise them. */
    payments: {
      list: async (query: Query<'GET', '/_sandbox/payments'> = {}) =>
        (await ask('GET', '/_sandbox/payments', { query })).payments,
      authorise: (reference: string) =>
        ask('POST', '/_sandbox/payments/{reference}/authorise', { params: { reference } }),
      decline: (reference: string) =>
        ask('POST', '/_sandbox/payments/{reference}/decline', { params: { reference } }),
    },

    /** Whom the client may pay, as kept in online banking. */
    beneficiaries: {
      add: (body: Body<'POST', '/_sandbox/beneficiaries'>) =>
        ask('POST', '/_sandbox/beneficiaries', { body }),
      /** Paid once in the online channel: from then on the API can pay it. */
      markPaid: (
        beneficiaryId: string,
        body: Body<'POST', '/_sandbox/beneficiaries/{beneficiaryId}/paid'> = {},
      ) => ask('POST', '/_sandbox/beneficiaries/{beneficiaryId}/paid', { params: { beneficiaryId }, body }),
      remove: (beneficiaryId: string) =>
        ask('DELETE', '/_sandbox/beneficiaries/{beneficiaryId}', { params: { beneficiaryId } }),
    },

    /** The keys of the developer area. */
    apiKeys: {
      list: async () => (await ask('GET', '/_sandbox/api-keys')).apiKeys,
      create: (body: Body<'POST', '/_sandbox/api-keys'>) => ask('POST', '/_sandbox/api-keys', { body }),
      change: (key: string, body: Body<'PUT', '/_sandbox/api-keys/{key}'>) =>
        ask('PUT', '/_sandbox/api-keys/{key}', { params: { key }, body }),
      revoke: (key: string) => ask('DELETE', '/_sandbox/api-keys/{key}', { params: { key } }),
    },

    /** A new secret for the client; the old one opens nothing any more. */
    rotateSecret: (body: Body<'POST', '/_sandbox/client/secret'> = {}) =>
      ask('POST', '/_sandbox/client/secret', { body }),

    profiles: {
      /** What may be paid at once and in a day, as set in online banking. */
      setLimits: (profileId: string, body: Body<'PUT', '/_sandbox/profiles/{profileId}/limits'>) =>
        ask('PUT', '/_sandbox/profiles/{profileId}/limits', { params: { profileId }, body }),
    },

    accounts: {
      /** With their balances, in rand cents. */
      list: async () => (await ask('GET', '/_sandbox/accounts')).accounts,
      /** A window of the entries, newest first. */
      entries: (accountId: string, query: Query<'GET', '/_sandbox/accounts/{accountId}/entries'> = {}) =>
        ask('GET', '/_sandbox/accounts/{accountId}/entries', { params: { accountId }, query }),
      open: (body: Body<'POST', '/_sandbox/accounts'> = {}) => ask('POST', '/_sandbox/accounts', { body }),
      /** Renames it or changes its overdraft; what is left out stays as it is. */
      change: (accountId: string, body: Body<'PUT', '/_sandbox/accounts/{accountId}'>) =>
        ask('PUT', '/_sandbox/accounts/{accountId}', { params: { accountId }, body }),
      /** Money that comes in or goes out: a salary, a debit order, a fee. */
      enter: (accountId: string, body: Body<'POST', '/_sandbox/accounts/{accountId}/entries'>) =>
        ask('POST', '/_sandbox/accounts/{accountId}/entries', { params: { accountId }, body }),
      /** Who must authorise what is paid from the account. */
      setAuthorisation: (
        accountId: string,
        body: Body<'PUT', '/_sandbox/accounts/{accountId}/authorisation'>,
      ) => ask('PUT', '/_sandbox/accounts/{accountId}/authorisation', { params: { accountId }, body }),
    },
  }
}

/** See {@link controlFace}. */
export type ControlFace = ReturnType<typeof controlFace>
