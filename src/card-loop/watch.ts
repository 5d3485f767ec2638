// `card watch`: lints and tests after each edit, and repaints the result once.

import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Finding } from '../card-code/lint/rules.js'
import { openPage } from '../page/open-page.js'
import { ScenarioError } from '../scenario/scenario.js'
import { textOf, type Arguments } from './arguments.js'
import { readCardFile, readVariables, type CardFile } from './card-file.js'
import { type CaseFile, caseFilesOf, filesNamedBy, findCaseFiles, readCaseFile } from './case-file.js'
import { type CaseResult, CaseRunner } from './case-run.js'
import { coverageOf } from './coverage-report.js'
import { FileWatch } from '../scenario/file-watch.js'
import { onKeys } from './keys.js'
import { lintFile } from './lint-command.js'
import { LoopError } from './loop-error.js'
import type { Output } from './output.js'
import { Publisher } from './publisher.js'
import { caseDetails, caseLine, nameWidth } from './reporters.js'
import { counted, findingLine } from './show.js'
import { overridden, update } from './case-update.js'

/** Runs `card watch` until q is pressed; returns the exit code. Rejects with a {@link LoopError}. */
export function watch(given: Arguments, output: Output): Promise<number> {
  const [main = 'main.js'] = given.operands
  const publisher = Publisher.of(given)
  if (!existsSync(resolve(output.directory, main))) throw new LoopError(`There is no file ${main}.`)
  return new Watch(given, output, main, publisher).run()
}

/** Runs `card test --watch`: the code is that of the test files. */
export function watchCases(given: Arguments, output: Output): Promise<number> {
  caseFilesOf(given.operands, output.directory)
  return new Watch(given, output).run()
}

/** The result of one round for one main.js. */
interface Look {
  readonly lines: readonly string[]
  /** Whether every case ran and passed, and the lint has no error. */
  readonly isGood: boolean
  readonly card: CardFile | undefined
}

class Watch {
  readonly #given: Arguments
  readonly #output: Output
  /** The code to watch; undefined: that of the test files. */
  readonly #main: string | undefined
  readonly #publisher: Publisher | undefined
  readonly #runner = new CaseRunner()
  readonly #files: FileWatch
  /** The files of a main.js when it could last be read. */
  readonly #parts = new Map<string, readonly string[]>()
  #failed: ReadonlySet<string> = new Set()
  #onlyFailed = false
  #isUpdating = false
  #running = false
  #isDue = false
  #isOver = false
  #end: ((code: number) => void) | undefined
  #fail: ((error: unknown) => void) | undefined

  constructor(given: Arguments, output: Output, main?: string, publisher?: Publisher) {
    this.#given = given
    this.#output = output
    this.#main = main
    this.#publisher = publisher
    this.#files = new FileWatch(() => void this.#again(), { list: () => this.#caseFileNames().join('\n') })
  }

  async run(): Promise<number> {
    const ended = new Promise<number>((end, fail) => {
      this.#end = end
      this.#fail = fail
    })
    const { isTerminal, keys } = this.#output
    const restore = onKeys(isTerminal ? keys : undefined, (key) => {
      this.#press(key)
    })
    try {
      void this.#again()
      return await ended
    } finally {
      this.#isOver = true
      restore()
      this.#files.close()
      await this.#runner.close()
    }
  }

  #press(key: string): void {
    if (key === 'q' || key === '\u0003') this.#end?.(0)
    else if (key === 'a' || key === 'f' || key === 'u') {
      this.#onlyFailed = key === 'f' ? true : key === 'a' ? false : this.#onlyFailed
      this.#isUpdating = key === 'u'
      if (key === 'a') this.#publisher?.forget()
      void this.#again()
    } else if (key === 'o') this.#openPage()
  }

  #openPage(): void {
    const server = textOf(this.#given.flags, 'server')
    if (server === undefined) {
      this.#output.print(' o opens the page of a running sandbox: give --publish CARD --server URL.')
      return
    }
    openPage(server, (text) => this.#output.print(` ${text}`))
  }

  /** Runs everything; changes in the meantime cause one more run afterwards. */
  async #again(): Promise<void> {
    this.#isDue = true
    if (this.#running) return
    this.#running = true
    try {
      while (this.#isDue && !this.#isOver) {
        this.#isDue = false
        const lines = await this.#look()
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- an edit may have come meanwhile
        if (!this.#isDue && !this.#isOver) this.#paint(lines)
      }
    } catch (error) {
      // Work in progress at the end was aborted.
      if (!this.#isOver) this.#fail?.(error)
    } finally {
      this.#running = false
    }
  }

  #paint(lines: readonly string[]): void {
    const { isTerminal, print } = this.#output
    const keys = ' a all  f failed  u update  o page  q quit'
    if (isTerminal) print(`\u001b[2J\u001b[3J\u001b[H${[...lines, keys].join('\n')}`)
    else print([...lines, ''].join('\n'))
  }

  /** One round: the text to paint. */
  async #look(): Promise<string[]> {
    const watched = new Set<string>()
    const lines: string[] = []
    if (this.#main !== undefined) this.#watch(watched, this.#main)
    try {
      // Test files first: they are watched also while the code is broken.
      const { files, isWhole } = await this.#caseFiles(watched, lines)
      const codes = this.#main === undefined ? [...new Set(files.map(({ code }) => code))] : [this.#main]
      const failed = new Set<string>()
      const isFiltered = this.#onlyFailed && this.#failed.size > 0
      for (const code of codes) {
        const own = files.filter((file) => this.#isSame(file.code, code))
        if (codes.length > 1) lines.push(code)
        const look = await this.#lookAt(code, own, watched, isFiltered, failed)
        lines.push(...look.lines)
        if (look.card && this.#publisher)
          lines.push(...(await this.#published(look, { isWhole, isFiltered, hasCases: own.length > 0 })))
      }
      this.#isUpdating = false
      // A filter keeps its cases, whether some of them fail or all pass.
      if (!isFiltered) this.#failed = failed
    } catch (error) {
      lines.push(...sentences(error))
    }
    this.#files.keepOnly(watched)
    return lines
  }

  #isSame(one: string, other: string): boolean {
    const { directory } = this.#output
    return resolve(directory, one) === resolve(directory, other)
  }

  #watch(watched: Set<string>, file: string): void {
    const path = resolve(this.#output.directory, file)
    watched.add(path)
    this.#files.add(path)
  }

  /** The names of the test files; none while they cannot be found. */
  #caseFileNames(): string[] {
    const { directory } = this.#output
    try {
      if (this.#main === undefined) return caseFilesOf(this.#given.operands, directory)
      const beside = dirname(this.#main)
      return findCaseFiles(resolve(directory, beside)).map((name) => join(beside, name))
    } catch {
      return []
    }
  }

  /** `isWhole`: every test file could be read. */
  async #caseFiles(watched: Set<string>, lines: string[]) {
    const { directory } = this.#output
    const files: CaseFile[] = []
    let isWhole = true
    for (const name of this.#caseFileNames()) {
      this.#watch(watched, name)
      for (const named of await filesNamedBy(name, directory)) this.#watch(watched, named)
      try {
        const file = overridden(await readCaseFile(name, directory), this.#given)
        if (this.#main === undefined || this.#isSame(file.code, this.#main)) files.push(file)
      } catch (error) {
        lines.push(...sentences(error))
        isWhole = false
      }
    }
    return { files, isWhole }
  }

  /** Reads, lints and tests one main.js. */
  async #lookAt(
    main: string,
    files: readonly CaseFile[],
    watched: Set<string>,
    isFiltered: boolean,
    failed: Set<string>,
  ): Promise<Look> {
    const { directory } = this.#output
    this.#watch(watched, main)
    this.#watch(watched, join(dirname(main), 'env.json'))
    // While a part of the code is broken, its files are the earlier ones.
    for (const part of this.#parts.get(main) ?? []) this.#watch(watched, part)
    try {
      const card = await readCardFile(main, directory)
      this.#parts.set(main, card.files)
      for (const part of card.files) this.#watch(watched, part)
      const findings = await lintFile(main, directory, this.#variablesOf(main))
      const { results, coverage } = await this.#runAll(files, card, isFiltered, failed)
      const passed = results.filter(({ status }) => status !== 'failed').length
      const summary = [
        `${passed} of ${results.length}${isFiltered ? ' (failed ones)' : ''}`,
        lintSummary(findings),
        ...(coverage === undefined ? [] : [coverage]),
      ]
      const width = nameWidth(results)
      const lines = [
        ...results.flatMap((result) => [
          caseLine(result, width),
          ...(result.status === 'failed' ? caseDetails(result, card) : []),
        ]),
        ...findings
          .filter(({ severity }) => severity !== 'info')
          .map((finding) => ` ${findingLine(main, finding)}`),
        ` ${summary.join(' · ')}`,
      ]
      const isGood = passed === results.length && findings.every((finding) => finding.severity !== 'error')
      return { lines, isGood, card }
    } catch (error) {
      return { lines: sentences(error), isGood: false, card: undefined }
    }
  }

  #variablesOf(main: string): Record<string, string> | undefined {
    return readVariables(undefined, resolve(this.#output.directory, dirname(main)))
  }

  async #runAll(files: readonly CaseFile[], card: CardFile, isFiltered: boolean, failed: Set<string>) {
    const counter = await coverageOf(card)
    const results: CaseResult[] = []
    const idOf = (file: CaseFile, name: string): string => `${file.file}\n${name}`
    for (const file of files) {
      const cases = isFiltered
        ? file.cases.filter(({ name }) => this.#failed.has(idOf(file, name)))
        : file.cases
      const done = await this.#runner.run(file, card, cases, counter.lens)
      for (const { status, case: each } of done) if (status === 'failed') failed.add(idOf(file, each.name))
      if (this.#isUpdating) await update({ file, results: done }, this.#output.directory)
      results.push(...done)
    }
    const { branches, missedBranches } = counter.report().document
    const missed = missedBranches.slice(0, 3).map(({ line }) => `${card.file}:${line}`)
    const coverage =
      results.length === 0 || branches.total === 0
        ? undefined
        : `branches ${branches.covered}/${branches.total}${missed.length > 0 ? ` (${missed.join(', ')})` : ''}`
    return { results, coverage }
  }

  /** Publishes code for which all cases of all test files ran and passed. */
  async #published(
    { isGood, card }: Look,
    { isWhole, isFiltered, hasCases }: { isWhole: boolean; isFiltered: boolean; hasCases: boolean },
  ): Promise<string[]> {
    if (!isGood || !isWhole) return [' not published']
    if (!hasCases) return [' not published: there are no cases']
    if (isFiltered) return [' not published: not all cases ran, a runs them']
    try {
      return await this.#publisher!.publish(card!.code, this.#variablesOf(card!.file) ?? {})
    } catch (error) {
      return sentences(error)
    }
  }
}

/** Mistakes of the user, as lines to print; anything else is thrown again. */
function sentences(error: unknown): string[] {
  if (!(error instanceof LoopError || error instanceof ScenarioError)) throw error
  return error.message.split('\n').map((line) => ` ${line}`)
}

function lintSummary(findings: readonly Finding[]): string {
  const count = (severity: string): number => findings.filter((each) => each.severity === severity).length
  const found = [counted(count('error'), 'error'), counted(count('warning'), 'warning')].filter(
    (text) => !text.startsWith('0'),
  )
  return `lint ${found.length > 0 ? found.join(', ') : 'clean'}`
}
