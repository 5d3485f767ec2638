// The sandbox: a bank in memory with one entry point, handle(call) → reply. All callers, over HTTP or in the process,
// go through the same six steps.

import { excerpt } from '../protocol/quote.js'
import type { Bank } from '../bank/bank.js'
import type { Runner } from '../card-code/host/runner.js'
import { monotonicMs, type ClockState } from '../determinism/clock.js'
import { clearTimeout, setImmediate, setTimeout } from '../determinism/timers.js'
import type { ApiName, Endpoint, Host } from '../endpoint/endpoint.js'
import { callEvent } from '../journal/call-record.js'
import type { JournalEntry } from '../journal/journal.js'
import type { Authorization } from '../protocol/authorization.js'
import type { Behaviour } from '../protocol/behaviour.js'
import { foldSlashes } from '../protocol/path.js'
import { isControlPath, type Call, type ListenAddress, type Reply } from '../protocol/call.js'
import { invalid, Problem } from '../protocol/problem.js'
import { shownAddress } from '../protocol/redaction.js'
import type { Scenario } from '../scenario/builder.js'
import { startOf, type StartPoint } from '../scenario/start.js'
import { guardAccount } from '../service/accounts.js'
import type { GivenClient } from '../workspace/clients.js'
import type { Workspace } from '../workspace/workspace.js'
import { Workspaces } from '../workspace/workspaces.js'
import { authenticate } from './authenticate.js'
import type { CodeReload, CodeWatch } from './code-watch.js'
import { openApiDocumentOf } from './documents.js'
import { endpoints } from './endpoints.js'
import { Deviations } from './normalise.js'
import { checkCall, checkSize, parseCall, readForm, type ParsedCall } from './request.js'
import { refuse, respond } from './respond.js'
import { Router } from './router.js'
import { nothingAt } from './suggestion.js'
import { readInput, validate } from './validate.js'
import { clientIdsOf, Visit } from './visit.js'

export { maxSeed } from '../determinism/random.js'
export type { ListenAddress } from '../protocol/call.js'

/** The options of a sandbox. */
export interface SandboxOptions {
  /** 0 to 4294967295; the same seed gives the same bank. Default 1. */
  readonly seed?: number
  /** Epoch ms at which the clock is frozen; by default the clock runs with the wall clock. */
  readonly nowMs?: number
  /** Refuses requests that deviate from the declarations. Overrides the scenario's setting. */
  readonly strict?: boolean
  /** Follows the service's document or the live service. Overrides the scenario's setting. */
  readonly behaviour?: Behaviour
  /** Where card code may call; overrides the scenario's setting. */
  readonly outbound?: OutboundName
  /** Credentials of the client of the base data, instead of the well-known ones. */
  readonly client?: GivenClient
  /** A scenario, its name, or the path of its file; names and paths only work with {@link Sandbox.create}. */
  readonly scenario?: string | Scenario
  /** The content of a scenario file, instead of `scenario`; only works with {@link Sandbox.create}. */
  readonly scenarioFile?: unknown
  /** Publishes the code of cards again when the files change that a scenario file names as `codeFile`. */
  readonly watch?: boolean
}

/** The named outbound policies. */
type OutboundName = 'allow' | 'public' | 'loopback' | 'deny'

/** A bank in memory. {@link Sandbox.handle} is its only entry point. */
export class Sandbox {
  readonly #router = new Router(endpoints)
  readonly workspaces: Workspaces
  #runner: Promise<Runner> | undefined
  #closed = false
  #isWarm = false
  /** Whether the first sign-in loads the engine of card code: a server has the time, a test of one endpoint has not. */
  warmsAtSignIn = false
  /** Called with each workspace that a call may have changed; the reply waits for the promise, if there is one. */
  onChange: ((workspace: Workspace) => Promise<void> | undefined) | undefined
  /** What health shows about the state file, if there is one. */
  stateFile: (() => { readonly file: string; readonly error: string | null }) | undefined
  #codeWatch: CodeWatch | undefined
  /** Called when a file of card code has changed; by default a fault is a warning of the process. */
  onReload = ({ text, isFault }: CodeReload): void => {
    if (isFault) process.emitWarning(text, 'SandboxWarning')
  }
  /** The functions that end pending delays. */
  readonly #waits = new Set<() => void>()
  /** What endpoints may use of this sandbox. */
  readonly #host: Host
  /** Where servers listen for this sandbox: when card code calls there, it calls the sandbox itself. */
  readonly listensAt = new Set<ListenAddress>()

  constructor(options: SandboxOptions = {}) {
    const { seed, nowMs, strict, behaviour, outbound, client, scenario } = options
    if (typeof scenario === 'string' && scenario !== 'default')
      throw new TypeError('A scenario is loaded by Sandbox.create.')
    const clock: ClockState | undefined = nowMs === undefined ? undefined : { frozen: true, ms: nowMs }
    const given = typeof scenario === 'string' ? undefined : scenario
    this.workspaces = new Workspaces(startOf(given, { seed, clock }), { strict, behaviour, outbound }, client)
    this.#host = {
      workspaces: this.workspaces,
      listensAt: this.listensAt,
      runner: () => this.runner(),
      handle: (call, within) => this.handle(call, within),
      openApi: (api, origin, behaviour) => this.openApi(api, origin, behaviour),
      stateFile: () => this.stateFile?.(),
    }
  }

  /** A sandbox whose scenario is loaded first. Rejects with a `ScenarioError` that says where the error is. */
  static async create(options: SandboxOptions = {}): Promise<Sandbox> {
    const loaded = await Sandbox.load(options)
    if ('sandbox' in loaded) return loaded.sandbox
    const { ScenarioError } = await import('../scenario/scenario.js')
    throw new ScenarioError(loaded.errors)
  }

  /** Like {@link Sandbox.create}, with the errors of the scenario as data, one a line. */
  static async load(
    options: SandboxOptions,
  ): Promise<{ readonly sandbox: Sandbox } | { readonly errors: string }> {
    const { scenario, scenarioFile, watch, ...others } = options
    if (scenarioFile === undefined && (typeof scenario !== 'string' || scenario === 'default'))
      return { sandbox: new Sandbox(options) }
    const { readScenario } = await import('../scenario/scenario.js')
    const loaded = await readScenario(scenarioFile ?? scenario)
    if ('errors' in loaded) return loaded
    const sandbox = new Sandbox({ ...others, scenario: loaded.scenario })
    if (watch) await sandbox.#watch(loaded.scenario)
    return { sandbox }
  }

  async #watch(scenario: Scenario): Promise<void> {
    const { CodeWatch } = await import('./code-watch.js')
    const { workspaces } = this
    this.#codeWatch = new CodeWatch(scenario, {
      workspaces,
      handle: (call) => this.handle(call),
      told: (reload) => this.onReload(reload),
    })
  }

  /** The default workspace. */
  get main(): Workspace {
    return this.workspaces.main
  }

  /** Resets to `start` and deletes the other workspaces. */
  async resetTo(start: StartPoint): Promise<void> {
    await this.workspaces.resetTo(start)
    await this.onChange?.(this.main)
  }

  /** Answers one call. Refusals are replies too; this rejects only when the program itself has a bug. */
  handle(call: Call, within?: Workspace): Promise<Reply> {
    return this.handleParsed(parseCall(call), within)
  }

  /** The same for a call that was parsed already. */
  async handleParsed(parsed: ParsedCall, within?: Workspace): Promise<Reply> {
    const { call } = parsed
    const visit = new Visit(parsed, within ?? this.#workspaceOf(parsed.authorization))
    let reply: Reply
    try {
      checkCall(parsed)
      const endpoint = this.#match(visit)
      checkSize(parsed)
      this.#enter(visit, endpoint, within)
      while (visit.workspace.underWay) await visit.workspace.underWay
      // Steps that need not wait return nothing to await: five promises would cost as much as a small call.
      const interfering = this.#interfere(visit)
      if (interfering) await interfering
      const opening = this.#authenticate(visit, endpoint)
      if (opening) await opening
      const context = readInput(this.#host, visit, endpoint)
      const checking = validate(visit, endpoint, context)
      if (checking) await checking
      const result = endpoint.handle(context)
      const data = result instanceof Promise ? ((await result) as unknown) : result
      if (context.warnings) visit.notes = context.warnings
      reply = respond(endpoint, data, parsed.call)
    } catch (error) {
      reply = error instanceof Interruption ? error.reply : this.#refuse(visit, error)
    }
    reply = withVisit(visit, reply)
    const { effect } = visit
    if (this.onChange && (effect || call.method !== 'GET' || visit.workspace.settings.rateLimit)) {
      const saved = this.onChange(visit.workspace)
      if (saved) await saved
    }
    record(visit, reply)
    return reply
  }

  /** Step 1: the endpoint for method and path. */
  #match(visit: Visit): Endpoint {
    const { parsed } = visit
    const { method } = parsed.call
    const match = this.#router.match(method, parsed.path)
    if (!match) throw new Problem('no-such-endpoint', nothingAt(parsed.path))
    if ('allow' in match) {
      const allow = match.allow.join(', ')
      throw new Problem(
        'method-not-allowed',
        `${excerpt(shownAddress(parsed.path))} takes ${allow}, not ${excerpt(method)}.`,
        {
          headers: { allow },
        },
      )
    }
    const { endpoint, params, canonicalPath } = match
    // The service has no control API: card code must not change what a scenario decides.
    if (endpoint.auth === 'control' && parsed.call.cardCode)
      throw new Problem('no-such-endpoint', 'Card code cannot reach the control API of the sandbox.')
    visit.endpoint = endpoint
    // Only a server works in the background: a test in this process may be over before the engine is loaded.
    if (!this.#isWarm && this.listensAt.size > 0)
      if (isOfCardCode(endpoint.path) || (this.warmsAtSignIn && endpoint.auth === 'client'))
        this.warmCardCode()
    visit.params = params
    visit.canonicalPath = canonicalPath
    if (canonicalPath !== parsed.path)
      (visit.deviations ??= new Deviations()).warn(
        'path-form',
        '/',
        `the path is written ${excerpt(shownAddress(canonicalPath))}`,
      )
    return endpoint
  }

  /** The workspace that a control call names, or that owns the client of a token request. */
  #enter(visit: Visit, endpoint: Endpoint, within: Workspace | undefined): void {
    const { parsed } = visit
    if (endpoint.auth === 'client') visit.form = readForm(parsed)
    if (endpoint.auth === 'control') visit.workspace = this.workspaces.named(parsed.query.workspace)
    else if (endpoint.auth === 'client' && !within)
      visit.workspace = this.workspaces.ofClient(clientIdsOf(visit))
    visit.startMs = visit.workspace.clock.now()
  }

  /** Step 2: runs what is due; a fault delays the call, expires its token, or answers instead of the bank. */
  #interfere(visit: Visit): Promise<void> | undefined {
    const { isDue, faults } = visit.workspace
    return isDue || faults.size > 0 ? this.#strike(visit) : undefined
  }

  async #strike(visit: Visit): Promise<void> {
    const { workspace, parsed, canonicalPath } = visit
    const { faults, credentials, clock, settings } = workspace
    if (workspace.isDue) await workspace.followTimeline()
    const effect = (visit.effect = faults.strike(parsed.call.method, canonicalPath))
    if (!effect) return
    if (effect.delayMs > 0 && !isDelayStated(visit)) await this.#wait(effect.delayMs)
    if (effect.expiresToken) credentials.expire(parsed.authorization.token ?? '', clock.now())
    const reply = effect.before(parsed.call.path, settings.behaviour)
    if (reply) throw new Interruption(reply)
  }

  /** Step 3: what the token gives access to, and whether that includes the account in the path. */
  #authenticate(visit: Visit, endpoint: Endpoint): Promise<void> | undefined {
    const { workspace, parsed } = visit
    if (endpoint.auth === 'token') visit.grant = authenticate(workspace, endpoint, parsed.authorization.token)
    if (workspace.bank || endpoint.needsBank === false) {
      enterBank(visit, workspace.bank)
      return undefined
    }
    return workspace.open().then((bank) => enterBank(visit, bank))
  }

  #refuse({ parsed, workspace, endpoint, deviations, isValidated }: Visit, error: unknown): Reply {
    const isOfService = endpoint ? endpoint.auth !== 'control' : !isControlPath(parsed.path)
    return refuse(isValidated && deviations ? asSent(error, deviations) : error, {
      path: parsed.call.path,
      isOfToken: endpoint?.auth === 'client',
      behaviour: isOfService ? workspace.settings.behaviour : 'documented',
    })
  }

  /** The refusal of a call that `handle` never sees: a foreign host or origin, an unreadable body. */
  refuse(error: unknown, method: string, path: string): Reply {
    const parsed = parseCall({ method, path })
    const match = this.#router.match(method, parsed.path)
    const endpoint = match && 'endpoint' in match ? match.endpoint : undefined
    const visit = new Visit(parsed, this.main)
    visit.endpoint = endpoint
    return this.#refuse(visit, error)
  }

  /** Real milliseconds: a delay tests the client's timeouts, whatever the sandbox's clock says. */
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

  /** How the endpoint of a method and a path (without a query string) knows its caller; undefined when there is none. */
  authOf(method: string, path: string): Endpoint['auth'] | undefined {
    const match = this.#router.match(method, path)
    return match && 'endpoint' in match ? match.endpoint.auth : undefined
  }

  /** Whether an endpoint has this path (without a query string), with any method. */
  hasPath(path: string): boolean {
    return this.#router.has(foldSlashes(path))
  }

  /** The OpenAPI 3.1 document of an API, for a sandbox at `origin`. */
  openApi(api: ApiName, origin?: string, behaviour: Behaviour = 'documented'): Promise<object> {
    return openApiDocumentOf(api, behaviour, origin)
  }

  /** The workspace of a call: tokens begin with the prefix of their workspace, and client ids belong to one. */
  #workspaceOf({ token, basic }: Authorization): Workspace {
    if (token !== undefined) return this.workspaces.ofToken(token)
    return this.workspaces.ofClient(basic.map(([clientId]) => clientId))
  }

  /**
   * The runner of card code for all workspaces; loaded when the first code runs. Rejects once the sandbox is closed.
   */
  async runner(): Promise<Runner> {
    if (this.#closed) throw new Error('The sandbox is closed.')
    this.#runner ??= import('../card-code/host/runner.js').then(({ takeRunner }) => takeRunner())
    try {
      return await this.#runner
    } catch (error) {
      // The next call tries again: the failure may be temporary, such as too many open files.
      this.#runner = undefined
      throw error
    }
  }

  /** Starts the engine of card code in the background, so that a first execution does not wait for it. */
  warmCardCode(): void {
    if (this.#isWarm || this.#closed) return
    this.#isWarm = true
    // After the current answer; whoever runs code sees the error of a runner that cannot start.
    setImmediate(() => {
      if (this.#closed) return
      this.runner().then(
        (runner) => runner.warm(),
        () => undefined,
      )
    })
  }

  /**
   * Ends the threads that run card code; calls that a fault delays are answered at once. A second call does nothing.
   */
  async close(): Promise<void> {
    this.#closed = true
    this.#codeWatch?.close()
    for (const end of this.#waits) end()
    for (const { events } of this.workspaces.all) events.close()
    await (await this.#runner)?.close()
  }
}

/** Whether the delay of a call passes in the frozen time of card code: then the machine's speed decides nothing. */
const isDelayStated = ({ effect, parsed }: Visit): boolean =>
  parsed.call.cardCode?.isFrozen === true && (effect?.delayMs ?? 0) > 0

/** Brings the bank of a call up to its time, and checks the access to the account in the path. */
function enterBank(visit: Visit, bank: Bank | undefined): void {
  const { grant, params } = visit
  visit.bank = bank
  bank?.catchUp()
  if (grant && bank && params.accountId !== undefined) guardAccount(bank, grant.apiKey, params.accountId)
}

/** The reply with the warnings of its call, and as a fault leaves it. */
function withVisit(visit: Visit, given: Reply): Reply {
  const { deviations, notes, effect, parsed, workspace } = visit
  const warnings = deviations || notes ? [...(deviations?.warnings ?? []), ...(notes ?? [])] : []
  const reply = warnings.length > 0 ? { ...given, warnings } : given
  if (!effect) return reply
  const { behaviour } = workspace.settings
  const struck = reply.fault === undefined ? effect.after(reply, parsed.call.path, behaviour) : reply
  return isDelayStated(visit) ? { ...struck, delayMs: effect.delayMs } : struck
}

/** The journal shows the calls of the client under test, not those of the test to the control API. */
function record(visit: Visit, reply: Reply): void {
  const { workspace, parsed, endpoint, grant, startMs, canonicalPath } = visit
  if (endpoint ? endpoint.auth === 'control' : isControlPath(parsed.path)) return
  const { journal, events, clock, credentials } = workspace
  // An id that no client has may be a secret in the wrong place, which the journal must not show.
  const clientId = grant?.clientId ?? clientIdsOf(visit).find((id) => credentials.client(id)) ?? null
  const ms = clock.now() - startMs
  const entry = journal.record(parsed.call, reply, { canonicalPath, startMs, ms, clientId })
  tellCall(events, entry, monotonicMs() - visit.beganMs)
}

/** A separate function: a stored event keeps everything that its closure can see. */
const tellCall = (events: Workspace['events'], entry: JournalEntry, realMs: number): void =>
  events.tellLater('call', () => callEvent(entry, realMs))

/** An error of the bank, with fields named as the client spelled them. */
const asSent = (error: unknown, deviations: Deviations): unknown =>
  error instanceof Problem && error.code === 'invalid-request' && error.more.errors
    ? invalid(deviations.errorsAsSent(error.more.errors))
    : error

/** Whether a caller of this path is about to run card code. */
const isOfCardCode = (path: string): boolean =>
  /^\/za\/v1\/cards\/\{cardkey\}\/(?:code|publish|environmentvariables|toggle)/.test(path) ||
  path.startsWith('/_sandbox/cards/{cardkey}/')

/** Thrown when a fault answers instead of the bank. */
class Interruption extends Error {
  constructor(readonly reply: Reply) {
    super('a fault answers')
  }
}
