// `pull`: from credentials to an anonymised scenario file of the user's own bank, complete or not at all.

import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { bankStateErrors, BankStateSchema } from '../bank/bank-state.js'
import { checkOf } from '../protocol/validation.js'
import { anonymise, survivors } from './anonymise.js'
import { pullBank, type PullRange } from './pull-bank.js'
import { HarSource } from './har-source.js'
import {
  RealDataError,
  ReadClient,
  UnusableDataError,
  type ReadAnswer,
  type ReadSource,
  type ServiceCredentials,
} from './read-client.js'
import { routinesOf } from './routines-of.js'
import { bankStateOf } from './scenario-of.js'
import { writeWhole } from './whole-files.js'

/** How a scenario is written. */
export interface WriteOptions extends PullRange {
  /** The scenario file to write; ends in `.yaml` or `.yml`. */
  readonly out: string
  /** Replaces existing files. Default false: they stay, and nothing is read. */
  readonly force?: boolean | undefined
  /** Keeps merchants and other descriptions. Default false: they are replaced. */
  readonly keepNames?: boolean | undefined
  /** Changes each amount by up to this percentage. Default 0. */
  readonly jitterPercent?: number | undefined
  /** Continues salary, debit orders and spending after the start. Default false: nothing happens by itself. */
  readonly continue?: boolean | undefined
  /** Called with each step. */
  readonly onProgress?: ((text: string) => void) | undefined
  /** Ends the work: it rejects, and no scenario is written. */
  readonly signal?: AbortSignal | undefined
}

/** Options of {@link pullScenario}. */
export interface PullOptions extends WriteOptions {
  /** Base address of the service, such as `https://openapi.example`. */
  readonly url: string
  /** How the API is signed in to. */
  readonly credentials: ServiceCredentials
  /** Maximum requests per second. Default 2. */
  readonly rate?: number | undefined
}

/** The files and counts of a pull. */
export interface PullReport {
  /** The path of the scenario that was written. */
  readonly file: string
  /** The file beside it that contains the bank; undefined when the scenario file contains it. */
  readonly dataFile: string | undefined
  /** How many accounts were read. */
  readonly accounts: number
  /** How many rows were read. */
  readonly rows: number
  /** How many cards were read. */
  readonly cards: number
  /** How many requests were sent, including that of the token. */
  readonly requests: number
  /** How many different values of each kind were replaced. */
  readonly replaced: Readonly<Record<string, number>>
  /** What the user should look at before sharing the file. */
  readonly review: readonly string[]
  /** What could not be read, or is inconsistent. */
  readonly missing: readonly string[]
}

/** A bank whose JSON is smaller than this is part of the scenario file itself. */
const maxInlineLength = 50_000

/**
 * Reads a bank over its API with GET requests only (besides the token request), replaces what identifies its owner,
 * and writes a scenario. Rejects with a {@link RealDataError}; then no scenario is written, and the answers so far
 * are stored in `OUT.partial` for the next run.
 */
export async function pullScenario(options: PullOptions): Promise<PullReport> {
  const files = outputOf(options)
  const partial = new Partial(`${options.out}.partial`, options)
  try {
    const client = new ReadClient({
      ...options,
      known: partial.known,
      // The values of variables are often secrets: they are kept only if they are pulled.
      onAnswer: (path, answer) => {
        const isKept = options.withVariables === true || !path.endsWith('/environmentvariables')
        if (isKept && typeof answer.body === 'object') partial.add(path, answer)
      },
    })
    const report = await writeScenario(client, options, files)
    partial.remove()
    return report
  } catch (error) {
    if (partial.kept === 0 || error instanceof UnusableDataError) partial.remove()
    else if (error instanceof RealDataError)
      throw new RealDataError(`${error.message.replace(/\.$/, '')}; ${partial.sentence}`, error.exitCode)
    throw error
  }
}

/** The same from recorded traffic: a parsed HAR document. What was not recorded is listed as missing. */
export const scenarioFromHar = (har: unknown, options: WriteOptions): Promise<PullReport> =>
  writeScenario(new HarSource(har), options, outputOf(options))

interface OutputFiles {
  readonly out: string
  readonly dataFile: string
}

/** The files to write. Throws a {@link RealDataError} when they cannot be written, or exist and must stay. */
function outputOf({ out, force }: WriteOptions): OutputFiles {
  const dataFile = out.replace(/\.ya?ml$/i, '.data.json')
  if (dataFile === out) throw new RealDataError(`--out must end in .yaml, not '${basename(out)}'.`, 2)
  if (!existsSync(dirname(out))) throw new RealDataError(`There is no folder ${dirname(out)} for --out.`, 2)
  for (const file of [out, dataFile])
    if (!force && existsSync(file)) throw new RealDataError(`${file} exists; --force replaces it.`, 2)
  return { out, dataFile }
}

async function writeScenario(
  source: ReadSource,
  options: WriteOptions,
  { out, dataFile }: OutputFiles,
): Promise<PullReport> {
  const { onProgress } = options
  const original = await pullBank(source, options, onProgress)
  onProgress?.('anonymising')
  const { bank, counts, review } = anonymise(original, options)
  const { state, oddities } = bankStateOf(bank)
  const errors = [...(await checkOf(BankStateSchema))(state), ...bankStateErrors(state, '')]
  if (errors.length > 0)
    throw new UnusableDataError(
      `What the service sent makes no bank: ${errors
        .slice(0, 5)
        .map(({ path, message }) => `${path} ${message}`)
        .join('; ')}.`,
    )
  const json = JSON.stringify(state)
  const routines = options.continue ? routinesOf(bank.accounts) : []
  const isLarge = json.length > maxInlineLength
  const text = scenarioText({
    out,
    nowMs: bank.nowMs,
    bank: isLarge ? basename(dataFile) : json,
    isLarge,
    routines,
  })
  const left = survivors({ state, routines, name: basename(out) }, original, options.keepNames)
  if (left.length > 0) {
    const kinds = [...new Set(left.map(({ kind }) => kind))].join(', ')
    throw new UnusableDataError(
      `${left.length} original values (${kinds}) would stand in the scenario; it was not written.`,
    )
  }
  // Ctrl-C takes effect between two steps, not within one.
  await setImmediate()
  if (options.signal?.aborted) throw new RealDataError('Interrupted.', 130)
  writeWhole({ ...(isLarge && { [dataFile]: json }), [out]: text })
  return {
    file: out,
    dataFile: isLarge ? dataFile : undefined,
    accounts: bank.accounts.length,
    rows: bank.accounts.reduce((sum, { rows }) => sum + rows.length, 0),
    cards: bank.cards.length,
    requests: source.sent,
    replaced: Object.fromEntries(counts),
    review: [...new Set(review)],
    missing: [...original.missing, ...oddities],
  }
}

function scenarioText(given: {
  out: string
  nowMs: number
  bank: string
  isLarge: boolean
  routines: readonly object[]
}): string {
  const name = basename(given.out)
    .replace(/\.ya?ml$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  return [
    '# A bank that was pulled and anonymised. Start it with: sandbox-server --scenario FILE',
    `name: ${name === '' ? 'my-bank' : name}`,
    'description: An anonymised copy of a real bank.',
    `clock: { now: '${new Date(given.nowMs).toISOString()}' }`,
    given.isLarge ? `bankFile: ${JSON.stringify(given.bank)}` : `bank: ${given.bank}`,
    ...(given.routines.length > 0
      ? ['routines:', ...given.routines.map((each) => `  - ${JSON.stringify(each)}`)]
      : []),
    '',
  ].join('\n')
}

/**
 * Answers read so far, kept while a pull runs, so that an interrupted one continues where it stopped. It contains real
 * data.
 */
class Partial {
  readonly known = new Map<string, ReadAnswer>()
  readonly #file: string
  #added = 0

  constructor(file: string, { url, from, to, credentials }: PullOptions) {
    this.#file = file
    const client = createHash('sha256').update(credentials.clientId).digest('hex')
    const head = JSON.stringify({ url, from, to, client })
    const [first = '', ...lines] = this.#read().split('\n')
    const before = clientOf(first)
    // Rows of two clients would make a bank that does not exist.
    if (typeof before === 'string' && before !== client)
      throw new RealDataError(
        `${file} holds answers that another client has read; finish that pull with its client id, or remove the file.`,
        2,
      )
    if (first === head)
      for (const line of lines) {
        const [path, answer] = parsedLine(line)
        if (path !== undefined) this.known.set(path, answer)
      }
    else this.#write(() => writeFileSync(file, `${head}\n`, { mode: 0o600 }))
  }

  /** How many answers are kept. */
  get kept(): number {
    return this.known.size + this.#added
  }

  get sentence(): string {
    return `${this.kept} answers are kept in ${this.#file} (real data, readable by you alone), and the same command goes on from there.`
  }

  add(path: string, { status, headers, body }: ReadAnswer): void {
    const answer = { status, headers: { date: headers.date }, text: '', body }
    this.#added++
    this.#write(() => appendFileSync(this.#file, `${JSON.stringify([path, answer])}\n`, { mode: 0o600 }))
  }

  remove(): void {
    rmSync(this.#file, { force: true })
  }

  #read(): string {
    try {
      return readFileSync(this.#file, 'utf8')
    } catch {
      return ''
    }
  }

  #write(work: () => void): void {
    try {
      work()
    } catch (error) {
      throw new RealDataError(`${this.#file} cannot be written: ${(error as Error).message}.`)
    }
  }
}

/** The hash of the client id in the first line of the file. */
function clientOf(line: string): unknown {
  try {
    return (Object(JSON.parse(line)) as { client?: unknown }).client
  } catch {
    return undefined
  }
}

/** A line of the file; the last one may have been cut off. */
function parsedLine(line: string): [string, ReadAnswer] | [undefined] {
  try {
    return JSON.parse(line) as [string, ReadAnswer]
  } catch {
    return [undefined]
  }
}
