// The metrics of a replica in the text format of Prometheus. Few and fixed, so they need no library.

/** Upper bounds of latencies, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

class Histogram {
  readonly #counts = bounds.map(() => 0)
  #sum = 0
  #count = 0

  add(seconds: number): void {
    this.#sum += seconds
    this.#count++
    for (let at = bounds.length - 1; at >= 0 && seconds <= bounds[at]!; at--) this.#counts[at]!++
  }

  lines(name: string, labels = ''): string[] {
    const with_ = (label: string): string => `{${[labels, label].filter((each) => each !== '').join(',')}}`
    const own = labels === '' ? '' : `{${labels}}`
    return [
      ...bounds.map((bound, at) => `${name}_bucket${with_(`le="${bound}"`)} ${this.#counts[at]!}`),
      `${name}_bucket${with_('le="+Inf"')} ${this.#count}`,
      `${name}_sum${own} ${this.#sum}`,
      `${name}_count${own} ${this.#count}`,
    ]
  }
}

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

/** Counts what a replica does. */
export class Metrics {
  /** By method and status. */
  readonly #calls = new Map<string, Map<number, number>>()
  readonly #latency = new Histogram()
  readonly #commits = new Histogram()
  readonly #forwards = new Histogram()
  readonly #holdings = { taken: 0, released: 0, lost: 0 }
  #commitBytes = 0

  onAnswer(method: string, status: number, ms: number): void {
    const known = methods.has(method) ? method : 'other'
    let byStatus = this.#calls.get(known)
    if (!byStatus) this.#calls.set(known, (byStatus = new Map<number, number>()))
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    this.#latency.add(ms / 1000)
  }

  readonly onCommit = (ms: number, bytes: number): void => {
    this.#commits.add(ms / 1000)
    this.#commitBytes += bytes
  }

  readonly onForward = (ms: number): void => this.#forwards.add(ms / 1000)

  readonly onHoldings = (change: 'taken' | 'released' | 'lost'): void => {
    this.#holdings[change]++
  }

  /** The text that a scraper reads. */
  text({ workspaces, executions, queue, connections, isReady }: Gauges): string {
    const lines: string[] = []
    const add = (name: string, type: string, help: string, values: readonly string[]): void => {
      lines.push(`# HELP sandbox_${name} ${help}`, `# TYPE sandbox_${name} ${type}`)
      for (const value of values) lines.push(`sandbox_${value}`)
    }
    const calls = Array.from(this.#calls, ([method, byStatus]) =>
      Array.from(
        byStatus,
        ([status, count]) => `calls_total{method="${method}",status="${status}"} ${count}`,
      ),
    ).flat()
    add('calls_total', 'counter', 'Calls that this replica answered to clients.', calls)
    add('call_seconds', 'histogram', 'How long they took.', this.#latency.lines('call_seconds'))
    add('commit_seconds', 'histogram', 'How long commits took.', this.#commits.lines('commit_seconds'))
    add('commit_bytes_total', 'counter', 'What commits wrote.', [`commit_bytes_total ${this.#commitBytes}`])
    add(
      'forward_seconds',
      'histogram',
      'Calls handed to other replicas.',
      this.#forwards.lines('forward_seconds'),
    )
    const moves = Object.entries(this.#holdings).map(
      ([change, count]) => `ownership_total{change="${change}"} ${count}`,
    )
    add('ownership_total', 'counter', 'Workspaces taken, released and lost.', moves)
    add('workspaces', 'gauge', 'Workspaces in memory.', [`workspaces ${workspaces}`])
    add('executions', 'gauge', 'Calls that run card code.', [`executions ${executions}`])
    add('store_queue', 'gauge', 'Statements that wait for a connection.', [`store_queue ${queue}`])
    add('store_connections', 'gauge', 'Connections to the store.', [`store_connections ${connections}`])
    add('ready', 'gauge', 'Whether the replica takes calls.', [`ready ${Number(isReady)}`])
    return `${lines.join('\n')}\n`
  }
}
