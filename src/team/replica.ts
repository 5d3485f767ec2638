// Starts one replica: the store, the listener, the lease, and the main workspace.

import { networkInterfaces } from 'node:os'
import { randomSecret } from '../determinism/random.js'
import { clearInterval, setInterval } from '../determinism/timers.js'
import type { CertificatePair } from '../http/certificate.js'
import type { HttpOptions } from '../http/http-options.js'
import { listen, type Listening } from '../http/server.js'
import { Sandbox, type SandboxOptions } from '../sandbox/sandbox.js'
import { mainName, type GivenClient } from '../workspace/clients.js'
import { ControlTokens } from './control-tokens.js'
import { Forwarder } from './forward.js'
import { Gate, type Answered } from './gate.js'
import { Lease } from './lease.js'
import { Metrics } from './metrics.js'
import { Postgres } from './postgres.js'
import type { Quotas } from './quotas.js'
import { Saved } from './saved.js'
import { migrate, shared } from './schema.js'
import { shownText } from './shown.js'
import { Store } from './store.js'
import { markIn } from './target.js'
import { Team } from './team.js'
import { warm } from './warm.js'

/** How a replica is started. */
export interface ReplicaOptions {
  /** The address of the database. */
  readonly store: string
  readonly host: string
  readonly port: number
  readonly http: HttpOptions
  readonly sandbox: SandboxOptions
  /** Whether client secret and API key were given: otherwise all replicas use those of the first one. */
  readonly areCredentialsGiven: boolean
  readonly pair?: CertificatePair | undefined
  /** Where the other replicas reach this one; by default where it listens. */
  readonly advertise?: string | undefined
  /** The secret that replicas share; by default one that the store keeps. */
  readonly clusterSecret?: string | undefined
  /** Workspaces that nobody has used for so long are deleted. */
  readonly workspaceTtlMs?: number | undefined
  readonly hasJournal?: boolean | undefined
  readonly quotas?: Quotas | undefined
  /** How long an unused workspace stays in memory. */
  readonly idleMs?: number | undefined
  readonly onAnswer?: (answered: Answered, replica: string) => void
  /** Something that an operator should know. */
  readonly onNotice?: (text: string) => void
}

const defaultIdleMs = 600_000
const tidyMs = 60_000
/** How long requests in flight may take when the listener is closed. */
const graceMs = 5_000
const drainMs = 12_000

/** A replica that listens. */
export class Replica {
  readonly url: string
  readonly port: number
  readonly sandbox: Sandbox
  readonly team: Team
  readonly #listening: Listening
  readonly #postgres: Postgres
  readonly #tidying: NodeJS.Timeout
  readonly #drained: { is: boolean }

  private constructor(
    listening: Listening,
    { sandbox, team, postgres, store, drained }: Parts,
    { workspaceTtlMs }: ReplicaOptions,
  ) {
    this.#listening = listening
    this.url = listening.url
    this.port = listening.port
    this.sandbox = sandbox
    this.team = team
    this.#postgres = postgres
    this.#drained = drained
    const tidy = async (): Promise<void> => {
      if (workspaceTtlMs !== undefined) await store.expire(workspaceTtlMs, mainName)
      await store.tidy()
    }
    this.#tidying = setInterval(
      () => void tidy().catch(() => undefined),
      Math.min(tidyMs, workspaceTtlMs ?? tidyMs),
    )
    this.#tidying.unref()
  }

  /** Rejects with a `StoreError`, or with the error of the system when it cannot listen. */
  static async start(options: ReplicaOptions): Promise<Replica> {
    const postgres = await Postgres.open(options.store)
    try {
      await migrate(postgres)
      const parts = await partsOf(postgres, options)
      const listening = await listen(parts.sandbox, {
        host: options.host,
        port: options.port,
        ...options.http,
        ...(options.pair && { pair: options.pair }),
        front: parts.gate,
      })
      const warming = warm(parts.sandbox, parts.store)
      await warming.next()
      await parts.lease.begin({
        address: options.advertise ?? reachable(listening.url, options.host),
        ...(options.pair && { certificate: leafOf(options.pair.cert) }),
      })
      parts.gate.begin()
      void warmRest(warming, parts)
      return new Replica(listening, parts, options)
    } catch (error) {
      await postgres.close()
      throw error
    }
  }

  /** Hands everything to the other replicas, finishes what is under way, and leaves. */
  async close(maxMs = drainMs): Promise<void> {
    this.#drained.is = true
    clearInterval(this.#tidying)
    await this.team.drain(maxMs)
    await this.#listening.close(maxMs === 0 ? 0 : graceMs)
    await this.team.close()
    await this.sandbox.close()
    await this.#postgres.close()
  }
}

/** One history after the other, so that calls are answered between them. */
async function warmRest(warming: AsyncGenerator<void>, { drained }: Parts): Promise<void> {
  try {
    while (!drained.is && !(await warming.next()).done);
  } catch {
    // The first call of a workspace makes what is missing.
  }
}

/** The first certificate of a file: whoever trusted the others would trust everybody for whom they were issued. */
const leafOf = (chain: string): string => /-----BEGIN[^]*?-----END[^\n]*/.exec(chain)?.[0] ?? chain

/** The address for other machines: a replica that listens on every address is reached at its first one. */
function reachable(url: string, host: string): string {
  if (!/^(?:0\.0\.0\.0|::)$/.test(host)) return url
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((each) => each && !each.internal && each.family === 'IPv4')
  return outside ? url.replace('//localhost:', `//${outside.address}:`) : url
}

interface Parts {
  readonly sandbox: Sandbox
  readonly team: Team
  readonly gate: Gate
  readonly lease: Lease
  readonly store: Store
  readonly postgres: Postgres
  readonly drained: { is: boolean }
}

async function partsOf(postgres: Postgres, options: ReplicaOptions): Promise<Parts> {
  const { http, clusterSecret, hasJournal = false, idleMs = defaultIdleMs, onNotice } = options
  const store = new Store(postgres)
  const secret = clusterSecret ?? (await shared(postgres, 'cluster-secret', randomSecret))
  const sandbox = await Sandbox.create(await withSharedClient(postgres, options))
  sandbox.warmsAtSignIn = true
  const lease = new Lease(store)
  lease.onAway = (why) =>
    onNotice?.(
      why === undefined ? 'the store answers again' : `the store does not answer: ${why}; it is tried again`,
    )
  const forwarder = new Forwarder(secret, (address) => store.certificateOf(address))
  const metrics = new Metrics()
  const team = new Team(sandbox, store, lease, forwarder, {
    idleMs: Math.min(idleMs, options.workspaceTtlMs ?? idleMs),
    hasJournal,
    quotas: options.quotas ?? {},
    happenings: metrics,
  })
  await addMain(store, sandbox, hasJournal)
  const drained = { is: false }
  const unready = (): Promise<string | undefined> =>
    Promise.resolve(
      drained.is
        ? 'draining'
        : !gate.isBegun
          ? 'starting'
          : lease.away === undefined
            ? undefined
            : 'the store does not answer',
    )
  const gate: Gate = new Gate({
    sandbox,
    team,
    tokens: new ControlTokens(store, http.controlToken),
    secret,
    unready,
    metrics: async () => ({
      contentType: metrics.contentType,
      text: await metrics.text({
        workspaces: team.holdings.all.length,
        executions: team.holdings.all.reduce((sum, { workspace }) => sum + workspace.executions.underWay, 0),
        queue: postgres.load.waiting,
        connections: postgres.load.open,
        isReady: gate.isBegun && !drained.is && lease.away === undefined,
      }),
    }),
    onAnswer: (answered) => {
      if (!answered.isHanded) metrics.onAnswer(answered.method, answered.status, answered.ms)
      options.onAnswer?.(answered, lease.address)
    },
  })
  return { sandbox, team, gate, lease, store, postgres, drained }
}

/** Random credentials are those of the first replica. */
async function withSharedClient(postgres: Postgres, options: ReplicaOptions): Promise<SandboxOptions> {
  const { sandbox, areCredentialsGiven } = options
  const { client } = sandbox
  if (!client || areCredentialsGiven) return sandbox
  const text = await shared(postgres, 'client', () => JSON.stringify(client))
  return { ...sandbox, client: JSON.parse(text) as GivenClient }
}

/** The main workspace exists from the first start on; it begins as that replica was told. */
async function addMain(store: Store, sandbox: Sandbox, hasJournal: boolean): Promise<void> {
  if (await store.find(mainName)) return
  const { main } = sandbox
  const commit = new Saved(hasJournal).compare(main, await main.open(), shownText(main))
  await store.add(mainName, { mark: markIn(mainName), owner: null, controlHash: null }, commit)
  sandbox.workspaces.drop(mainName)
}
