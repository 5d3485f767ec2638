// The bank on which card code is tried: a real one, in memory. Every command asks it through the one way in, so that a
// purchase is decided here as over HTTP. What card code did is observed where the code runs, since only there are the
// bodies that it sent, and what it left running.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Behaviour } from '../protocol/behaviour.js'
import type { Outcome, Run as RunInput, Runner, RunResult } from '../card-code/host/runner.js'
import { wallMs } from '../determinism/clock.js'
import { Sandbox, type SandboxOptions } from '../sandbox/sandbox.js'
import { loadScenario } from '../scenario/scenario.js'
import { LoopError } from './loop-error.js'

/** From what the bank starts. */
export interface BankOptions {
  /** The name of a shipped scenario or the path of a file. */
  readonly scenario?: string | undefined
  readonly seed?: number | undefined
  /** Epoch ms at which the clock stands; the wall clock's time when nothing is said. */
  readonly nowMs?: number | undefined
  readonly behaviour?: Behaviour | undefined
}

/** A request of card code, with what the bank does not keep of it. */
export interface ObservedCall {
  readonly method: string
  /** As card code wrote it: it may hold secrets, and must not be printed. */
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  /** Who answered: a stub, the sandbox itself, or the network. */
  answeredBy: 'stub' | 'sandbox' | 'network'
}

/** One run of a hook as it was observed. */
export interface ObservedRun {
  readonly hook: string
  readonly windowMs: number
  readonly calls: readonly ObservedCall[]
  /** With all that the hook left running. */
  readonly outcome: Outcome
}

interface Watch {
  readonly runs: { input: RunInput; calls: ObservedCall[]; execution: RunResult }[]
  /** Turns what is run into something else, and takes out of the outcome what that adds. */
  readonly lens: Lens | undefined
}

/** Changes what runs, and cleans what comes of it. */
export interface Lens {
  /** The run in place of what the bank asks for. */
  readonly input?: (run: RunInput) => RunInput
  readonly outcome?: (outcome: Outcome) => Outcome
  /** Hooks that need not run: they are taken to have returned nothing. */
  readonly isSkipped?: (hook: string) => boolean
}

export type { RunInput }

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

/** A sandbox whose runs of hooks are observed by whoever asked. */
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
  const { handler } = input
  const execution = await runner.run({
    ...input,
    handler: async (request, signal) => {
      const { method, url, headers } = request
      const body = request.body ? Buffer.from(request.body).toString() : ''
      const call: ObservedCall = { method, url, headers, body, answeredBy: 'network' }
      calls.push(call)
      const given = await handler?.(request, signal)
      if (given) call.answeredBy = stubbed.has(request) ? 'stub' : 'sandbox'
      return given
    },
  })
  const clean = lens?.outcome
  const seen: RunResult = clean
    ? { outcome: clean(execution.outcome), settled: execution.settled.then(clean) }
    : execution
  watch.runs.push({ input, calls, execution: seen })
  return seen
}

/** A refusal of the bank: a mistake in what it was asked. */
export class Refused extends LoopError {
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

/** Several banks that start alike, each a workspace of one sandbox, so that cases can run side by side. */
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

  /** The bank of this number: 0 is always there. */
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

/** One bank. Its calls come one after the other. */
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

  /** Back to the start, in one step. */
  async reset(): Promise<void> {
    this.#token = undefined
    await this.control('POST', '/_sandbox/reset')
  }

  /** Asks the control API. Rejects with {@link Refused}. */
  async control<T>(method: string, path: string, body?: object, lens?: Lens): Promise<Answered<T>> {
    const query = this.#name === undefined ? {} : { workspace: this.#name }
    return this.#ask<T>({ method, path, query, headers: {}, body }, lens)
  }

  /** Asks the bank's API, with the client's token. Rejects with {@link Refused}. */
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
      // The clock may have gone past the token's end.
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
    const { body } = await this.#ask<{ access_token: string }>({
      method: 'POST',
      path: '/identity/v2/oauth2/token',
      query: {},
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'x-api-key': apiKeys[0]!.key,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    })
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
