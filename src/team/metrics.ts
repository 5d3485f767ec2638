// The metrics of a replica, in the text format of Prometheus.

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Upper bounds of latencies, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Others count as one, since clients invent them. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])

/** What is read when the metrics are asked for. */
export interface Gauges {
  readonly workspaces: number
  readonly executions: number
  readonly queue: number
  readonly connections: number
  readonly isReady: boolean
}

/** Counts what a replica does, and what its process uses. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #calls = this.#counter('calls_total', 'Calls that this replica answered to clients.', [
    'method',
    'status',
  ])
  readonly #latency = this.#histogram('call_seconds', 'How long they took.')
  readonly #commits = this.#histogram('commit_seconds', 'How long commits took.')
  readonly #commitBytes = this.#counter('commit_bytes_total', 'What commits wrote.')
  readonly #forwards = this.#histogram('forward_seconds', 'How long calls handed to other replicas took.')
  readonly #holdings = this.#counter('ownership_total', 'Workspaces taken, released and lost.', ['change'])
  readonly #gauges: Record<keyof Gauges, Gauge> = {
    workspaces: this.#gauge('workspaces', 'Workspaces in memory.'),
    executions: this.#gauge('executions', 'Calls that run card code.'),
    queue: this.#gauge('store_queue', 'Statements that wait for a connection.'),
    connections: this.#gauge('store_connections', 'Connections to the store.'),
    isReady: this.#gauge('ready', 'Whether the replica takes calls.'),
  }

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
    for (const change of ['taken', 'released', 'lost']) this.#holdings.inc({ change }, 0)
  }

  onAnswer(method: string, status: number, ms: number): void {
    this.#calls.inc({ method: methods.has(method) ? method : 'other', status })
    this.#latency.observe(ms / 1000)
  }

  readonly onCommit = (ms: number, bytes: number): void => {
    this.#commits.observe(ms / 1000)
    this.#commitBytes.inc(bytes)
  }

  readonly onForward = (ms: number): void => this.#forwards.observe(ms / 1000)

  readonly onHoldings = (change: 'taken' | 'released' | 'lost'): void => this.#holdings.inc({ change })

  /** The text that a scraper reads. */
  text(gauges: Gauges): Promise<string> {
    for (const [name, gauge] of Object.entries(this.#gauges)) gauge.set(Number(gauges[name as keyof Gauges]))
    return this.#registry.metrics()
  }

  /** The media type of {@link text}. */
  get contentType(): string {
    return this.#registry.contentType
  }

  #counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name: `sandbox_${name}`, help, labelNames, registers: [this.#registry] })
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name: `sandbox_${name}`, help, registers: [this.#registry] })
  }

  #histogram(name: string, help: string): Histogram {
    return new Histogram({ name: `sandbox_${name}`, help, buckets, registers: [this.#registry] })
  }
}
