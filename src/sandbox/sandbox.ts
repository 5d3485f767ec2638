// The sandbox: a bank in memory with one way in, handle(call) → reply. Whoever asks, over HTTP or in the process, goes
// through the same six steps.

import { authenticate, bearerToken, knownClient } from './authenticate.js'
import { clientIdsIn } from '../protocol/basic-auth.js'
import type { Behaviour } from '../bank/client-records.js'
import type { Grant } from '../bank/credentials.js'
import type { ClockState } from '../determinism/clock.js'
import { clearTimeout, setTimeout } from '../determinism/timers.js'
import type { Runner } from '../card-code/host/runner.js'
import type { Context, Endpoint, Host } from '../endpoint/endpoint.js'
import type { Call, Reply } from '../protocol/call.js'
import { control } from '../control/index.js'
import { endpoints } from './endpoints.js'
import { guardAccount } from '../service/accounts.js'
import { service } from '../service/index.js'
import type { ApiName } from '../endpoint/endpoint.js'
import { callEvent } from '../journal/call-record.js'
import type { JournalEntry } from '../journal/journal.js'
import { CallContext } from './context.js'
import type { FaultEffect } from '../faults/faults.js'
import { excerpt, Problem } from '../protocol/problem.js'
import {
  checkSize,
  foldSlashes,
  headerReader,
  readBody,
  splitQuery,
  validateBody,
  validateQuery,
} from './request.js'
import { refuse, respond } from './respond.js'
import { Router } from './router.js'
import { isControlPath } from '../protocol/call.js'
import type { Scenario } from '../scenario/builder.js'
import { startOf, type StartPoint } from '../scenario/start.js'
import { version } from '../protocol/version.js'
import type { Workspace } from '../workspace/workspace.js'
import { Workspaces } from '../workspace/workspaces.js'

/** How a sandbox starts. */
export interface SandboxOptions {
  /** 0 to 4294967295; the same seed gives the same bank. Default 1. */
  readonly seed?: number
  /** Epoch ms at which the clock stands still; without it the clock runs with the wall clock. */
  readonly nowMs?: number
  /** Refuses requests that deviate from the declarations. Takes precedence over the scenario's setting. */
  readonly strict?: boolean
  /** Follows the service's document or the live service. Takes precedence over the scenario's setting. */
  readonly behaviour?: Behaviour
  /** A scenario, or the name of one, or the path of its file: the last two are for {@link Sandbox.create}. */
  readonly scenario?: string | Scenario
  /** What a file of a scenario says, in place of `scenario`: for {@link Sandbox.create}. */
  readonly scenarioFile?: unknown
}

/** Where a sandbox listens: the IP address that it is bound to, and the port. */
export interface ListenAddress {
  readonly address: string
  readonly port: number
}

export { maxSeed } from '../determinism/random.js'

type AnyContext = Context<Record<string, string>, never, never>

/** A bank in memory. {@link Sandbox.handle} is its only way in. */
export class Sandbox {
  readonly #router = new Router(endpoints)
  readonly workspaces: Workspaces
  #runner: Promise<Runner> | undefined
  #closed = false
  /** Told of each workspace that a call may have changed; the answer waits for the promise, if there is one. */
  onChange: ((workspace: Workspace) => Promise<void> | undefined) | undefined
  /** What health shows of the state file, when one is kept. */
  stateFile: (() => { readonly file: string; readonly error: string | null }) | undefined
  /** Ends of the delays that go on. */
  readonly #waits = new Set<() => void>()
  /** What endpoints may ask of this sandbox. */
  readonly #host: Host
  /** Where servers listen for this sandbox: card code that calls there calls the sandbox itself. */
  readonly listensAt = new Set<ListenAddress>()

  constructor(options: SandboxOptions = {}) {
    const { seed, nowMs, strict, behaviour, scenario } = options
    if (typeof scenario === 'string' && scenario !== 'default')
      throw new TypeError('A scenario is loaded by Sandbox.create.')
    const clock: ClockState | undefined = nowMs === undefined ? undefined : { frozen: true, ms: nowMs }
    const situation = typeof scenario === 'string' ? undefined : scenario
    this.workspaces = new Workspaces(startOf(situation, { seed, clock }), { strict, behaviour })
    this.#host = {
      workspaces: this.workspaces,
      listensAt: this.listensAt,
      runner: () => this.runner(),
      handle: (call, within) => this.handle(call, within),
      openApi: (api, origin) => this.openApi(api, origin),
      stateFile: () => this.stateFile?.(),
    }
  }

  /** A sandbox whose scenario is loaded first. Rejects with a `ScenarioError` that says where the fault is. */
  static async create(options: SandboxOptions = {}): Promise<Sandbox> {
    const { scenario, scenarioFile, ...others } = options
    const isWritten = scenarioFile !== undefined
    if (!isWritten && (typeof scenario !== 'string' || scenario === 'default')) return new Sandbox(options)
    const { loadScenario, writtenScenario } = await import('../scenario/scenario.js')
    const loaded = isWritten ? writtenScenario(scenarioFile) : loadScenario(scenario as string)
    return new Sandbox({ ...others, scenario: await loaded })
  }

  /** The workspace of whoever has no other. */
  get main(): Workspace {
    return this.workspaces.main
  }

  /** Resets to `start` and deletes the other workspaces. */
  async resetTo(start: StartPoint): Promise<void> {
    await this.workspaces.resetTo(start)
    await this.onChange?.(this.main)
  }

  /** Answers one call; every refusal is a reply too, so this rejects only when the program itself is wrong. */
  async handle(call: Call, within?: Workspace): Promise<Reply> {
    const header = headerReader(call)
    const authorization = header('authorization')
    const token = bearerToken(authorization)
    let workspace = within ?? this.#workspaceOf(token, authorization)
    let startMs = workspace.clock.now()
    let endpoint: Endpoint | undefined
    let grant: Grant | undefined
    let strike: FaultEffect | undefined
    let reply: Reply
    try {
      checkSize(call)
      const { path, query } = splitQuery(call)
      const matched = this.#match(call.method, path)
      endpoint = matched.endpoint
      const { params } = matched
      if (endpoint.auth === 'control') {
        workspace = this.workspaces.named(query.workspace)
        startMs = workspace.clock.now()
      }
      if (workspace.isDue) await workspace.followTimeline()
      if (workspace.faults.size > 0) {
        strike = workspace.faults.strike(call.method, call.path.includes('//') ? foldSlashes(path) : path)
        if (strike) await this.#interfere(strike, workspace, token, path)
      }
      if (endpoint.auth === 'token') grant = authenticate(workspace, endpoint, token)
      let { bank } = workspace
      if (!bank && endpoint.needsBank !== false) bank = await workspace.open()
      bank?.catchUp()
      if (grant && bank && params.accountId !== undefined) guardAccount(bank, grant.apiKey, params.accountId)
      const checkedQuery = endpoint.query ? await validateQuery(endpoint.query, query) : query
      const body = endpoint.body ? readBody(endpoint, call, header) : undefined
      const context = new CallContext(
        this.#host,
        workspace,
        bank,
        grant,
        params,
        checkedQuery,
        body,
        call,
        header,
      )
      if (endpoint.body) await validateBody(endpoint, context as unknown as AnyContext)
      const result = endpoint.handle(context as unknown as AnyContext)
      const data = result instanceof Promise ? ((await result) as unknown) : result
      reply = respond(endpoint, data, call)
    } catch (error) {
      reply = error instanceof Disturbed ? error.reply : refuse(error, call)
    }
    if (strike && reply.fault === undefined) reply = strike.after(reply, call.path)
    if (this.onChange && (strike || call.method !== 'GET' || workspace.settings.rateLimit)) {
      const saved = this.onChange(workspace)
      if (saved) await saved
    }
    // The journal shows what the client under test asked, not what the test asked the sandbox about it.
    if (endpoint ? endpoint.auth === 'control' : isControlPath(call.path)) return reply
    const { journal, events, clock } = workspace
    const clientId = grant?.clientId ?? knownClient(workspace, authorization)
    const entry = journal.record(call, reply, startMs, clock.now() - startMs, clientId)
    tellCall(events, entry)
    return reply
  }

  /** Step 2: a fault delays the call, ends its token, or answers in place of the bank (thrown as {@link Disturbed}). */
  async #interfere(
    strike: FaultEffect,
    { credentials, clock }: Workspace,
    token = '',
    path: string,
  ): Promise<void> {
    if (strike.delayMs > 0) await this.#wait(strike.delayMs)
    if (strike.expiresToken) credentials.expire(token, clock.now())
    const reply = strike.before(path)
    if (reply) throw new Disturbed(reply)
  }

  /** Real milliseconds: a delay is for the timeouts of the client, whatever the sandbox's clock says. */
  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        this.#waits.delete(end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      this.#waits.add(end)
    })
  }

  /** Whether an endpoint has this path (without a query string), whatever the method. */
  hasPath(path: string): boolean {
    return this.#router.match('GET', path) !== undefined
  }

  /** The OpenAPI 3.1 document of an API, for a sandbox at `origin`. Its examples come from a sandbox of their own. */
  async openApi(api: ApiName, origin?: string): Promise<object> {
    documents[api] ??= Promise.all([
      import('../endpoint/openapi.js'),
      import('../endpoint/examples.js'),
    ]).then(([{ openApiDocument }, { sampleOf }]) =>
      openApiDocument(api, version(), api === 'service' ? service : control, async (endpoint) => {
        const sandbox = new Sandbox({ nowMs: exampleMs })
        const sample = await sampleOf(endpoint, sandbox)
        await sandbox.close()
        return sample
      }),
    )
    const document = await documents[api]
    return origin === undefined ? document : { ...document, servers: [{ url: origin }] }
  }

  /** Whose call it is: tokens begin with the mark of their workspace, and client ids belong to one. */
  #workspaceOf(token: string | undefined, authorization: string | undefined): Workspace {
    if (token !== undefined) return this.workspaces.ofToken(token)
    return this.workspaces.ofClient(clientIdsIn(authorization))
  }

  /** What runs card code for all workspaces; loaded when the first code runs. Rejects once the sandbox is closed. */
  async runner(): Promise<Runner> {
    if (this.#closed) throw new Error('The sandbox is closed.')
    return (this.#runner ??= import('../card-code/host/runner.js').then(({ createRunner }) => createRunner()))
  }

  /** Ends the threads that run card code; calls that a fault delays are answered at once. Again: nothing. */
  async close(): Promise<void> {
    this.#closed = true
    for (const end of this.#waits) end()
    for (const { events } of this.workspaces.all) events.close()
    await (await this.#runner)?.close()
  }

  /** Step 1: the endpoint for method and path. */
  #match(method: string, path: string): { endpoint: Endpoint; params: Record<string, string> } {
    const match = this.#router.match(method, path)
    if (!match)
      throw new Problem('no-such-endpoint', `Nothing is at ${excerpt(path)}; the README lists every path.`)
    if ('endpoint' in match) return match
    const allow = match.allow.join(', ')
    throw new Problem('method-not-allowed', `${excerpt(path)} takes ${allow}, not ${excerpt(method)}.`, {
      headers: { allow },
    })
  }
}

/** The documents, which are the same for every sandbox, and the instant of their examples: 25 March 2026, 10:00. */
const documents: Partial<Record<ApiName, Promise<object>>> = {}
const exampleMs = Date.UTC(2026, 2, 25, 8)

/** Not within {@link Sandbox.handle}: an event that is kept would keep everything that the call has made. */
const tellCall = (events: Workspace['events'], entry: JournalEntry): void =>
  events.tellLater('call', () => callEvent(entry))

/** Thrown where a fault answers in place of the bank. */
class Disturbed extends Error {
  constructor(readonly reply: Reply) {
    super('a fault answers')
  }
}
