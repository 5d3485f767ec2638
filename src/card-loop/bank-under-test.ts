// The bank that runs card code: a real one, in memory. Every command uses its only entry point, so that a purchase is
// decided here as over HTTP. The effects of card code are observed in the runner, because only the runner sees the
// request bodies and what the hook left running.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Behaviour } from '../protocol/behaviour.js'
import { tokenCall } from '../protocol/authorization.js'
import type { Outcome, Run as RunInput, Runner, RunResult } from '../card-code/host/runner.js'
import { wallMs } from '../determinism/clock.js'
import { Sandbox, type SandboxOptions } from '../sandbox/sandbox.js'
import { loadScenario } from '../scenario/scenario.js'
import { LoopError } from './loop-error.js'

/** The options of the bank. */
export interface BankOptions {
  /** The name of a shipped scenario or the path of a file. */
  readonly scenario?: string | undefined
  readonly seed?: number | undefined
  /** Epoch ms at which the clock is frozen; by default the wall clock's time. */
  readonly nowMs?: number | undefined
  readonly behaviour?: Behaviour | undefined
}

/** A request of card code, including what the bank does not store. */
export interface ObservedCall {
  readonly method: string
  /** As card code wrote it: it may contain secrets, and must not be printed. */
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  /** Who answered: a stub, the sandbox itself, or the network. */
  answeredBy: 'stub' | 'sandbox' | 'network'
}

/** One observed run of a hook. */
export interface ObservedRun {
  readonly hook: string
  readonly windowMs: number
  readonly calls: readonly ObservedCall[]
  /** Including everything that the hook left running. */
  readonly outcome: Outcome
}

interface Watch {
  readonly runs: { input: RunInput; calls: ObservedCall[]; execution: RunResult }[]
  /** Replaces the run, and removes its own traces from the outcome. */
  readonly lens: Lens | undefined
}

/** Changes a run, and cleans its outcome. */
export interface Lens {
  /** The run instead of the one that the bank asks for. */
  readonly input?: (run: RunInput) => RunInput
  readonly outcome?: (outcome: Outcome) => Outcome
  /** Runs it: by default once. The bank sees the result. */
  readonly run?: (run: RunInput, runner: Runner) => Promise<RunResult>
  /** Hooks that need not run: they count as having returned nothing. */
  readonly isSkipped?: (hook: string) => boolean
}

const returnedNothing = ({ time }: RunInput): Outcome => ({
  end: 'returned',
  value: undefined,
  returnedType: 'undefined',
  error: null,
  logs: [],
  outbound: [],
  startedMs: time.nowMs,
  completedMs: time.nowMs,
})

const watches = new AsyncLocalStorage<Watch>()

/** The requests that a stub answered. */
const stubbed = new WeakSet<object>()

/** A sandbox whose hook runs are observed. */
class ObservedSandbox extends Sandbox {
  override async runner(): Promise<Runner> {
    const runner = await super.runner()
    return {
      run: (run) => observedRun(runner, run),
      warm: () => {
        runner.warm()
      },
      close: () => runner.close(),
    }
  }
}

async function observedRun(runner: Runner, given: RunInput): Promise<RunResult> {
  const watch = watches.getStore()
  if (!watch) return runner.run(given)
  const { lens } = watch
  if (lens?.isSkipped?.(given.hook) === true) {
    const outcome = returnedNothing(given)
    return { outcome, settled: Promise.resolve(outcome) }
  }
  const input = lens?.input?.(given) ?? given
  const calls: ObservedCall[] = []
  const { answerOutbound } = input
  const observed: RunInput = {
    ...input,
    answerOutbound: async (request, signal) => {
      const { method, url, headers } = request
      const body = request.body ? Buffer.from(request.body).toString() : ''
      const call: ObservedCall = { method, url, headers, body, answeredBy: 'network' }
      calls.push(call)
      const given = await answerOutbound?.(request, signal)
      if (given) call.answeredBy = stubbed.has(request) ? 'stub' : 'sandbox'
      return given
    },
  }
  const execution = await (lens?.run ? lens.run(observed, runner) : runner.run(observed))
  const clean = lens?.outcome
  const seen: RunResult = clean
    ? { outcome: clean(execution.outcome), settled: execution.settled.then(clean) }
    : execution
  watch.runs.push({ input, calls, execution: seen })
  return seen
}

/** A refusal of the bank: the call was wrong. */
class Refused extends LoopError {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

export interface Answered<T> {
  readonly body: T
  readonly runs: readonly ObservedRun[]
}

/** Several banks with the same start, each a workspace of one sandbox, so that cases can run side by side. */
export class BankUnderTest {
  readonly #sandbox: ObservedSandbox
  readonly #marked = new WeakSet<object>()

  private constructor(sandbox: ObservedSandbox) {
    this.#sandbox = sandbox
  }

  /** Rejects with a ScenarioError that says what is wrong with the scenario. */
  static async open({ scenario, seed, nowMs, behaviour }: BankOptions = {}): Promise<BankUnderTest> {
    const loaded = scenario === undefined || scenario === 'default' ? undefined : await loadScenario(scenario)
    const options: SandboxOptions = {
      ...(loaded && { scenario: loaded }),
      ...(seed !== undefined && { seed }),
      ...(behaviour !== undefined && { behaviour }),
      nowMs: nowMs ?? loaded?.nowMs ?? wallMs(),
    }
    const sandbox = new ObservedSandbox(options)
    // The thread that runs card code starts while the history is made.
    ;(await sandbox.runner()).warm()
    await sandbox.main.open()
    return new BankUnderTest(sandbox)
  }

  /** The bank with this number: 0 always exists. */
  async lane(number: number): Promise<Lane> {
    const { workspaces } = this.#sandbox
    const name = number === 0 ? undefined : `lane-${number}`
    const known = name === undefined || workspaces.all.some((each) => each.name === name)
    if (!known) workspaces.add(name, workspaces.main.start)
    const workspace = workspaces.named(name)
    if (!this.#marked.has(workspace)) {
      this.#marked.add(workspace)
      const { outboundStubs } = workspace
      workspace.outboundStubs = async (request, signal) => {
        const given = await outboundStubs(request, signal)
        if (given) stubbed.add(request)
        return given
      }
    }
    await workspace.open()
    return new Lane(this.#sandbox, name)
  }

  close(): Promise<void> {
    return this.#sandbox.close()
  }
}

/** One bank. Its calls run one after the other. */
export class Lane {
  readonly #sandbox: Sandbox
  readonly #name: string | undefined
  #token: string | undefined

  constructor(sandbox: Sandbox, name: string | undefined) {
    this.#sandbox = sandbox
    this.#name = name
  }

  get workspace() {
    return this.#sandbox.workspaces.named(this.#name)
  }

  /** Resets to the start, in one step. */
  async reset(): Promise<void> {
    this.#token = undefined
    await this.control('POST', '/_sandbox/reset')
  }

  /** Calls the control API. Rejects with {@link Refused}. */
  async control<T>(method: string, path: string, body?: object, lens?: Lens): Promise<Answered<T>> {
    const query = this.#name === undefined ? {} : { workspace: this.#name }
    return this.#ask<T>({ method, path, query, headers: {}, body }, lens)
  }

  /** Calls the bank's API with the client's token. Rejects with {@link Refused}. */
  async service<T>(method: string, path: string, body?: object, lens?: Lens): Promise<Answered<T>> {
    this.#token ??= await this.#signIn()
    const ask = () =>
      this.#ask<{ data?: unknown }>(
        { method, path, query: {}, headers: { authorization: `Bearer ${this.#token!}` }, body },
        lens,
      )
    let answered
    try {
      answered = await ask()
    } catch (error) {
      // The clock may have passed the token's expiry.
      if (!(error instanceof Refused && error.status === 401)) throw error
      this.#token = await this.#signIn()
      answered = await ask()
    }
    const { body: document, runs } = answered
    return { body: (document.data ?? document) as T, runs }
  }

  async #signIn(): Promise<string> {
    const [client] = this.workspace.credentials.clients
    const { clientId, clientSecret, apiKeys } = client!
    const call = tokenCall({ clientId, clientSecret, apiKey: apiKeys[0]!.key })
    const { body } = await this.#ask<{ access_token: string }>(call)
    return body.access_token
  }

  async #ask<T>(call: Parameters<Sandbox['handle']>[0], lens?: Lens): Promise<Answered<T>> {
    const watch: Watch = { runs: [], lens }
    const reply = await watches.run(watch, () => this.#sandbox.handle(call))
    const text = Buffer.from(reply.body).toString()
    const body = (text === '' ? {} : JSON.parse(text)) as T
    if (reply.status >= 300) throw refused(reply.status, body)
    const runs = await Promise.all(
      watch.runs.map(async ({ input: { hook, windowMs }, calls, execution }) => ({
        hook,
        windowMs,
        calls,
        outcome: await execution.settled,
      })),
    )
    return { body, runs }
  }
}

function refused(status: number, body: unknown): Refused {
  const { detail, errors = [] } = body as {
    detail?: string
    errors?: readonly { readonly path: string; readonly message: string }[]
  }
  const lines = errors.map(({ path, message }) => `${path} ${message}.`)
  return new Refused(status, lines.length > 0 ? lines.join('\n') : (detail ?? `The bank answers ${status}.`))
}
