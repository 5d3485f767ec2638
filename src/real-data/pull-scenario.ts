// `pull`: from credentials to a scenario file of one's own bank, anonymised, with nothing half-written.

import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { bankStateFaults, BankStateSchema } from '../bank/bank-state.js'
import { checkOf } from '../protocol/validation.js'
import { anonymise, survivors } from './anonymise.js'
import { pullBank, type PullRange } from './pull-bank.js'
import { HarSource } from './har-source.js'
import {
  RealDataError,
  ReadClient,
  type ReadAnswer,
  type ReadSource,
  type ServiceCredentials,
} from './read-client.js'
import { routinesOf } from './routines-of.js'
import { bankStateOf } from './scenario-of.js'

/** How a scenario is written. */
export interface WriteOptions extends PullRange {
  /** The scenario file to write; ends in `.yaml` or `.yml`. */
  readonly out: string
  /** Replaces files that exist. Default false: they are kept and nothing is read. */
  readonly force?: boolean | undefined
  /** Keeps merchants and other descriptions. Default false: they are replaced. */
  readonly keepNames?: boolean | undefined
  /** Moves each amount by up to so many per cent. Default 0. */
  readonly jitterPercent?: number | undefined
  /** Salary, debit orders and spending go on after the start. Default false: nothing happens by itself. */
  readonly continue?: boolean | undefined
  /** Told what is being read. */
  readonly onProgress?: ((text: string) => void) | undefined
}

/** What {@link pullScenario} takes. */
export interface PullOptions extends WriteOptions {
  /** Base address of the service, such as `https://openapi.example`. */
  readonly url: string
  readonly credentials: ServiceCredentials
  /** Requests a second at most. Default 2. */
  readonly rate?: number | undefined
}

/** What a pull has written. */
export interface PullReport {
  readonly file: string
  /** The file beside it that holds the bank; undefined when the scenario file holds it itself. */
  readonly dataFile: string | undefined
  readonly accounts: number
  readonly rows: number
  readonly cards: number
  /** Requests sent, that of the token included. */
  readonly requests: number
  /** How many different values of each kind were replaced. */
  readonly replaced: Readonly<Record<string, number>>
  /** What a person should look at before sharing the file. */
  readonly review: readonly string[]
  /** What could not be read, or did not fit together. */
  readonly missing: readonly string[]
}

/** A bank that is smaller than this, as JSON, stands in the scenario file itself. */
const maxInlineLength = 50_000

/**
 * Reads a bank over its API with GET alone (besides the token request), replaces what says whose it is, and writes a
 * scenario. Rejects with a {@link RealDataError}; then no scenario is written, and what was read so far is kept in
 * `OUT.partial` for the next run.
 */
export async function pullScenario(options: PullOptions): Promise<PullReport> {
  const files = outputOf(options)
  const partial = new Partial(`${options.out}.partial`, options)
  const client = new ReadClient({
    ...options,
    known: partial.known,
    onAnswer: (path, answer) => partial.add(path, answer),
  })
  const report = await writeScenario(client, options, files)
  partial.remove()
  return report
}

/** The same from recorded traffic: a parsed HAR document. What was not recorded is listed as missing. */
export const scenarioFromHar = (har: unknown, options: WriteOptions): Promise<PullReport> =>
  writeScenario(new HarSource(har), options, outputOf(options))

interface OutputFiles {
  readonly out: string
  readonly dataFile: string
}

/** The files to write. Throws a {@link RealDataError} when they cannot be, or exist and are to be kept. */
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
  const faults = [...(await checkOf(BankStateSchema))(state), ...bankStateFaults(state, '')]
  if (faults.length > 0)
    throw new RealDataError(
      `What the service sent makes no bank: ${faults
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
  const left = survivors(text + (isLarge ? json : ''), original, options.keepNames)
  if (left.length > 0) {
    const kinds = [...new Set(left.map(({ kind }) => kind))].join(', ')
    throw new RealDataError(
      `${left.length} original values (${kinds}) would stand in the scenario; it was not written.`,
    )
  }
  if (isLarge) replaceFile(dataFile, json)
  try {
    replaceFile(out, text)
  } catch (error) {
    if (isLarge) rmSync(dataFile, { force: true })
    throw error
  }
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

/** Writes a file whole or not at all. */
function replaceFile(file: string, text: string): void {
  const temporary = join(dirname(file), `.${basename(file)}.writing`)
  try {
    const handle = openSync(temporary, 'w')
    try {
      writeFileSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true, recursive: true })
    throw new RealDataError(`${file} cannot be written: ${(error as Error).message}.`)
  }
}

/** Answers read so far, kept while a pull runs, so that an interrupted one goes on where it was. It holds real data. */
class Partial {
  readonly known = new Map<string, ReadAnswer>()
  readonly #file: string

  constructor(file: string, { url, from, to }: PullOptions) {
    this.#file = file
    const head = JSON.stringify({ url, from, to })
    const [first, ...lines] = this.#read().split('\n')
    if (first === head)
      for (const line of lines) {
        const [path, answer] = parsedLine(line)
        if (path !== undefined) this.known.set(path, answer)
      }
    else this.#write(() => writeFileSync(file, `${head}\n`, { mode: 0o600 }))
  }

  add(path: string, answer: ReadAnswer): void {
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

/** A line of the file; the last one may have been cut off. */
function parsedLine(line: string): [string, ReadAnswer] | [undefined] {
  try {
    return JSON.parse(line) as [string, ReadAnswer]
  } catch {
    return [undefined]
  }
}
