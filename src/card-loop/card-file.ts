// Reads the user's files: main.js, its variables, JSON files. TypeScript and imports are bundled with the esbuild of
// the user's project, and places in the bundle are mapped back to the source.

import { readFileSync, statSync } from 'node:fs'
import { createRequire, SourceMap } from 'node:module'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { maxCodeLength } from '../bank/cards/cards.js'
import { hookNames } from '../bank/cards/hook-names.js'
import { isJsonObject } from '../protocol/json.js'
import { LoopError } from './loop-error.js'

/** The source of a place in the running code. */
interface SourcePlace {
  /** As the user named it, or relative to main.js. */
  readonly file: string
  readonly line: number
  readonly column: number | null
  /** The text of the line, for messages. */
  readonly text: string
}

/** A main.js, ready for the bank. */
export interface CardFile {
  /** Its name on the command line: `main.js`. */
  readonly file: string
  /** The code that the bank gets. */
  readonly code: string
  /** The source in the named file. */
  readonly source: string
  /** The files in the code: more than one when it was bundled. */
  readonly files: readonly string[]
  readonly bundled: boolean
  place(line: number, column: number | null): SourcePlace
}

const maxFileBytes = 4 * 1024 * 1024

/** The text of a file. Throws a {@link LoopError} when it is missing, too large or not text. */
export function readText(file: string, directory = '.', maxBytes = maxFileBytes): string {
  const path = file === '-' ? 0 : resolve(directory, file)
  const name = file === '-' ? 'standard input' : file
  let bytes: Buffer
  try {
    if (path !== 0) {
      const { size } = statSync(path)
      if (size > maxBytes) throw new LoopError(`${name} has ${size} bytes; at most ${maxBytes} are read.`)
    }
    bytes = readFileSync(path)
  } catch (error) {
    if (error instanceof LoopError) throw error
    throw new LoopError(unreadable(name, error as NodeJS.ErrnoException))
  }
  if (bytes.includes(0)) throw new LoopError(`${name} is not a text: it contains a zero byte.`)
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}

function unreadable(name: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return `There is no file ${name}.`
  if (code === 'EISDIR') return `${name} is a directory.`
  if (code === 'EACCES' || code === 'EPERM') return `${name} may not be read.`
  return `${name} cannot be read: ${message}.`
}

/** A JSON file. Throws a {@link LoopError}. */
export function readJson(file: string, directory = '.'): unknown {
  const text = readText(file, directory)
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const name = file === '-' ? 'Standard input' : file
    throw new LoopError(`${name} is not JSON: ${(error as Error).message}.`)
  }
}

/** Reads main.js, and bundles it if necessary. Rejects with a {@link LoopError}. */
export async function readCardFile(
  file: string,
  directory = '.',
  source = readText(file, directory),
): Promise<CardFile> {
  const isTyped = /\.[cm]?tsx?$/.test(file)
  const isModule =
    isTyped || /^\s*(?:import\b(?!\s*\()|export\s)/m.test(source) || /\brequire\(\s*['"]/.test(source)
  if (source.trim() === '') throw new LoopError(`${file} is empty: declare beforeTransaction in it.`)
  const card = isModule ? await bundled(file, source, directory) : plainFile(file, source)
  if (card.code.length > maxCodeLength)
    throw new LoopError(
      `${file} has ${card.code.length} characters${card.bundled ? ' when it is bundled' : ''}; a card takes at most ${maxCodeLength}.`,
    )
  return card
}

/** A card file for a source in memory. */
function plainFile(file: string, source: string): CardFile {
  const lines = source.split('\n')
  return {
    file,
    code: source,
    source,
    files: [file],
    bundled: false,
    place: (line, column) => ({ file, line, column, text: lines[line - 1] ?? '' }),
  }
}

/** The part of esbuild that is used. */
interface Esbuild {
  build(options: Record<string, unknown>): Promise<{
    outputFiles: { path: string; text: string }[]
    metafile: { inputs: Record<string, unknown> }
  }>
}

async function bundled(file: string, source: string, directory: string): Promise<CardFile> {
  const path = resolve(directory, file)
  const esbuild = esbuildAt(path, file)
  // Otherwise esbuild would drop unexported declarations.
  const exported = hookNames.filter((hook) =>
    new RegExp(`^(?:async\\s+function|function|const|let|var)\\s+${hook}\\b`, 'm').test(source),
  )
  const contents = exported.length === 0 ? source : `${source}\nexport { ${exported.join(', ')} }`
  let built
  try {
    built = await esbuild.build({
      stdin: { contents, resolveDir: dirname(path), sourcefile: path, loader: loaderOf(file) },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      charset: 'utf8',
      legalComments: 'none',
      metafile: true,
      sourcemap: 'external',
      outfile: join(dirname(path), 'card-bundle.js'),
      logLevel: 'silent',
    })
  } catch (error) {
    throw new LoopError(bundleErrors(file, error))
  }
  const text = (end: string): string => built.outputFiles.find(({ path: at }) => at.endsWith(end))!.text
  const code = asScript(text('card-bundle.js'))
  const map = new SourceMap(
    JSON.parse(text('card-bundle.js.map')) as ConstructorParameters<typeof SourceMap>[0],
  )
  const here = resolve(directory)
  const named = (input: string): string =>
    resolve(input) === path ? file : relative(here, resolve(input)).replaceAll('\\', '/')
  const files = Object.keys(built.metafile.inputs).map((input) => (input === '<stdin>' ? file : named(input)))
  const sources = new Map<string, string[]>([[path, source.split('\n')]])
  return {
    file,
    code,
    source,
    files: [...new Set(files)].sort(),
    bundled: true,
    place: (line, column) => {
      const entry = map.findEntry(line - 1, Math.max(0, (column ?? 1) - 1)) as {
        originalSource?: string
        originalLine?: number
        originalColumn?: number
      }
      const { originalSource, originalLine, originalColumn } = entry
      if (originalSource === undefined || originalLine === undefined)
        return { file, line, column, text: code.split('\n')[line - 1] ?? '' }
      const at = resolve(dirname(path), originalSource.replace(/^file:\/\//, ''))
      let lines = sources.get(at)
      if (!lines) sources.set(at, (lines = linesOf(at)))
      const place = column === null ? null : (originalColumn ?? 0) + 1
      return { file: named(at), line: originalLine + 1, column: place, text: lines[originalLine] ?? '' }
    },
  }
}

function linesOf(path: string): string[] {
  try {
    return readText(path).split('\n')
  } catch {
    return []
  }
}

function esbuildAt(path: string, file: string): Esbuild {
  try {
    return createRequire(path)('esbuild') as Esbuild
  } catch {
    throw new LoopError(
      `${file} has to be bundled, since it is TypeScript or imports other files: npm install --save-dev esbuild.`,
    )
  }
}

const loaderOf = (file: string): string =>
  /\.[cm]?tsx?$/.test(file) ? 'ts' : extname(file) === '.jsx' ? 'jsx' : 'js'

interface BundleFault {
  readonly text: string
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null
}

function bundleErrors(file: string, error: unknown): string {
  const { errors = [] } = error as { errors?: readonly BundleFault[] }
  if (errors.length === 0) return `${file} cannot be bundled: ${(error as Error).message}.`
  return errors
    .slice(0, 20)
    .map(({ text, location }) =>
      location
        ? `${basename(location.file)}:${location.line}:${location.column + 1}: ${text}`
        : `${file}: ${text}`,
    )
    .join('\n')
}

/** The export statement at a bundle's end becomes declarations, because main.js is a script. */
function asScript(text: string): string {
  return text.replace(/\nexport \{\n([\s\S]*?)\n\};\s*$/, (_, list: string) => {
    const renamed = list.split(',').flatMap((entry) => {
      const [, local, name] = /^\s*(\S+) as (\S+)\s*$/.exec(entry) ?? []
      return local !== undefined && (hookNames as readonly string[]).includes(name!)
        ? [`const ${name} = ${local};`]
        : []
    })
    return `\n${renamed.join('\n')}\n`
  })
}

/** The variables of a card, by default from `env.json` beside main.js. Throws a {@link LoopError}. */
export function readVariables(
  file: string | undefined,
  directory: string,
): Record<string, string> | undefined {
  if (file === undefined) {
    try {
      statSync(join(directory, 'env.json'))
    } catch {
      return undefined
    }
    return readVariables('env.json', directory)
  }
  const text = readText(file, directory)
  if (!/\.json$|^\s*\{/.test(file.endsWith('.json') ? file : text)) return fromDotenv(file, text)
  const value = readJson(file, directory)
  if (!isJsonObject(value))
    throw new LoopError(`${file} must contain one JSON object: {"LIMIT_CENTS": "50000"}.`)
  const wrong = Object.entries(value).filter(
    ([, each]) => !['string', 'number', 'boolean'].includes(typeof each),
  )
  if (wrong.length > 0)
    throw new LoopError(
      wrong.map(([name]) => `${file}: ${name} must be a text, a number, true or false.`).join('\n'),
    )
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)]))
}

function fromDotenv(file: string, text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, raw] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined || raw === undefined)
      throw new LoopError(`${file}:${index + 1}: a line must be NAME=VALUE.`)
    const quoted = /^(["'])(.*)\1$/.exec(raw)
    found[name] = quoted ? quoted[2]! : raw.replace(/\s+#.*$/, '')
  }
  return found
}
