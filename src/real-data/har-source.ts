// `scenario from-har`: a bank from recorded traffic, read with the same steps as a pulled one.

import type { Transaction } from '../bank/records.js'
import { isJsonObject } from '../protocol/json.js'
import { foldSlashes } from '../protocol/path.js'
import { recordedCalls, type RecordedCall } from './har-calls.js'
import { notRecorded, RealDataError, type ReadAnswer, type ReadSource } from './read-client.js'

/** Answers reads from a recording. */
export class HarSource implements ReadSource {
  readonly dateMs: number | undefined
  readonly sent = 0
  readonly #answers = new Map<string, ReadAnswer>()
  readonly #rows = new Map<string, Map<string, Transaction>>()

  constructor(har: unknown) {
    const reads = recordedCalls(har).filter(({ method }) => method === 'GET')
    const calls = reads.filter(({ answer }) => answer.status === 200)
    if (calls.length === 0) throw new RealDataError('The recording holds no answer to a GET.')
    for (const call of calls) this.#take(call)
    for (const { path, answer } of reads)
      if (answer.status !== 200 && !this.#answers.has(path)) this.#answers.set(path, answer)
    const times = calls.flatMap(({ atMs }) => atMs ?? [])
    this.dateMs = times.reduce<number | undefined>((last, each) => Math.max(last ?? each, each), undefined)
  }

  async get(path: string): Promise<ReadAnswer> {
    const own = accountOf(path)
    const rows = own === undefined ? undefined : this.#rows.get(own)
    const answer = rows ? within(path, rows) : this.#answers.get(path)
    return Promise.resolve(answer ?? { status: notRecorded, headers: {}, text: '', body: undefined })
  }

  #take({ path, answer }: RecordedCall): void {
    const folded = foldSlashes(path)
    const own = accountOf(folded)
    if (own === undefined) {
      this.#answers.set(folded, answer)
      return
    }
    const { transactions } = Object((Object(answer.body) as { data?: unknown }).data) as {
      transactions?: unknown
    }
    if (!Array.isArray(transactions)) return
    let rows = this.#rows.get(own)
    if (!rows) this.#rows.set(own, (rows = new Map<string, Transaction>()))
    for (const row of transactions as unknown[])
      if (isJsonObject(row)) rows.set(JSON.stringify(row), row as unknown as Transaction)
  }
}

/** The accountId of a path that lists transactions. */
const accountOf = (path: string): string | undefined =>
  /^\/za\/pb\/v1\/accounts\/([^/?]+)\/transactions(?:\?|$)/.exec(path)?.[1]

/** What the service would have answered, as far as the recorded rows show. */
function within(path: string, rows: ReadonlyMap<string, Transaction>): ReadAnswer {
  const query = new URLSearchParams(path.slice(path.indexOf('?')))
  const [from, to] = [query.get('fromDate') ?? '', query.get('toDate') ?? '9999']
  const isPending = (row: Transaction): boolean => (row.status as string | undefined) === 'PENDING'
  const posted = [...rows.values()]
    .filter((row) => !isPending(row) && String(row.postingDate) >= from && String(row.postingDate) <= to)
    .sort((a, b) => a.postedOrder - b.postedOrder)
  const pending = query.get('includePending') === 'true' ? [...rows.values()].filter(isPending) : []
  const body = {
    data: { transactions: [...posted, ...pending] },
    links: { self: null },
    meta: { totalPages: 1 },
  }
  return { status: 200, headers: {}, text: '', body }
}
