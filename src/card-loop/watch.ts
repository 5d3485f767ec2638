// `card watch`: lints and tests after each edit, and paints the outcome once.

import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { spawn } from 'node:child_process'
import { ScenarioError } from '../scenario/scenario.js'
import { textOf, type Arguments } from './arguments.js'
import { readCardFile, readVariables, type CardFile } from './card-file.js'
import { type CaseFile, findCaseFiles, readCaseFile, caseFilesOf } from './case-file.js'
import { type CaseResult, CaseRunner } from './case-run.js'
import { coverageOf } from './coverage-report.js'
import { FileWatch } from './file-watch.js'
import { onKeys } from './keys.js'
import { lintFile } from './lint-command.js'
import { LoopError } from './loop-error.js'
import type { Output } from './output.js'
import { RemoteSandbox } from './remote-sandbox.js'
import { caseDetails, caseLine } from './reporters.js'
import { counted, findingLine } from './show.js'
import { overridden, update } from './case-update.js'

/** Runs `card watch` until q is pressed; the exit code. Rejects with a {@link LoopError}. */
export function watch(given: Arguments, output: Output): Promise<number> {
  const [main = 'main.js'] = given.operands
  const { flags } = given
  if ((flags.publish === undefined) !== (flags.server === undefined))
    throw new LoopError('--publish CARD and --server URL go together.')
  if (!existsSync(resolve(output.directory, main))) throw new LoopError(`There is no file ${main}.`)
  return new Watch(given, output, main).run()
}

/** Runs `card test --watch`: the code is that of the test files. */
export async function watchCases(given: Arguments, output: Output): Promise<number> {
  const [first] = caseFilesOf(given.operands, output.directory)
  const { code } = await readCaseFile(first!, output.directory)
  return new Watch(given, output, code).run()
}

class Watch {
  readonly #given: Arguments
  readonly #output: Output
  readonly #main: string
  readonly #runner = new CaseRunner()
  readonly #files = new FileWatch(() => void this.#again())
  #failed: ReadonlySet<string> = new Set()
  #onlyFailed = false
  #isUpdating = false
  #running = false
  #isDue = false
  #end: ((code: number) => void) | undefined

  constructor(given: Arguments, output: Output, main: string) {
    this.#given = given
    this.#output = output
    this.#main = main
  }

  async run(): Promise<number> {
    const ended = new Promise<number>((resolve) => (this.#end = resolve))
    const restore = onKeys(this.#output.isTerminal, (key) => {
      this.#press(key)
    })
    try {
      await this.#again()
      return await ended
    } finally {
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
      void this.#again()
    } else if (key === 'o') this.#openPage()
  }

  #openPage(): void {
    const server = textOf(this.#given.flags, 'server')
    if (server === undefined) {
      this.#output.print(' o opens the page of a running sandbox: give --server URL.')
      return
    }
    const command = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
    const child = spawn(command, [`${server.replace(/\/+$/, '')}/_sandbox/`], {
      stdio: 'ignore',
      detached: true,
    })
    child.on('error', () => {
      this.#output.print(` The page is at ${server}/_sandbox/.`)
    })
    child.unref()
  }

  /** Runs everything; what changes meanwhile is run afterwards, once. */
  async #again(): Promise<void> {
    this.#isDue = true
    if (this.#running) return
    this.#running = true
    try {
      while (this.#isDue) {
        this.#isDue = false
        const lines = await this.#look()
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- an edit may have come meanwhile
        if (!this.#isDue) this.#paint(lines)
      }
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

  /** One round: what to paint. */
  async #look(): Promise<string[]> {
    const { directory } = this.#output
    const watched = new Set([this.#main, join(dirname(this.#main), 'env.json')])
    const lines: string[] = []
    try {
      // Test files first: they are watched also while the code is broken.
      const files = await this.#caseFiles(watched, lines)
      const card = await readCardFile(this.#main, directory)
      for (const file of card.files) watched.add(file)
      const findings = await lintFile(
        this.#main,
        directory,
        readVariables(undefined, resolve(directory, dirname(this.#main))),
      )
      const { results, coverage } = await this.#runAll(files, card)
      lines.push(
        ...results.flatMap((result) => [
          caseLine(result),
          ...(result.status === 'failed' ? caseDetails(result, card) : []),
        ]),
      )
      lines.push(
        ...findings
          .filter(({ severity }) => severity !== 'info')
          .map((finding) => ` ${findingLine(this.#main, finding)}`),
      )
      const passed = results.filter(({ status }) => status !== 'failed').length
      const count = (severity: string): number => findings.filter((each) => each.severity === severity).length
      const lint = [counted(count('error'), 'error'), counted(count('warning'), 'warning')].filter(
        (text) => !text.startsWith('0'),
      )
      lines.push(
        ` ${[`${passed} of ${results.length}${this.#onlyFailed ? ' (failed ones)' : ''}`, `lint ${lint.length > 0 ? lint.join(', ') : 'clean'}`, ...(coverage === undefined ? [] : [coverage])].join(' · ')}`,
      )
      if (passed === results.length && count('error') === 0) lines.push(...(await this.#publish(card)))
    } catch (error) {
      if (!(error instanceof LoopError || error instanceof ScenarioError)) throw error
      lines.push(...error.message.split('\n').map((line) => ` ${line}`))
    }
    this.#files.files = [...watched].map((file) => resolve(directory, file))
    return lines
  }

  async #caseFiles(watched: Set<string>, lines: string[]): Promise<CaseFile[]> {
    const { directory } = this.#output
    const { command, operands } = this.#given
    const names =
      command === 'test'
        ? caseFilesOf(operands, directory)
        : findCaseFiles(resolve(directory, dirname(this.#main))).map((name) =>
            join(dirname(this.#main), name),
          )
    const files: CaseFile[] = []
    for (const name of names) {
      watched.add(name)
      try {
        const file = overridden(await readCaseFile(name, directory), this.#given)
        if (resolve(directory, file.code) === resolve(directory, this.#main)) files.push(file)
      } catch (error) {
        if (!(error instanceof LoopError)) throw error
        lines.push(...error.message.split('\n').map((line) => ` ${line}`))
      }
    }
    return files
  }

  async #runAll(files: readonly CaseFile[], card: CardFile) {
    const counter = await coverageOf(card)
    const results: CaseResult[] = []
    const isUpdating = this.#isUpdating
    this.#isUpdating = false
    const failedBefore = this.#failed
    const isFiltered = this.#onlyFailed && failedBefore.size > 0
    const idOf = (file: CaseFile, name: string): string => `${file.file}\n${name}`
    const failed = new Set<string>()
    for (const file of files) {
      const cases = isFiltered
        ? file.cases.filter(({ name }) => failedBefore.has(idOf(file, name)))
        : file.cases
      const done = await this.#runner.run(file, card, cases, counter.lens)
      for (const { status, case: each } of done) if (status === 'failed') failed.add(idOf(file, each.name))
      if (isUpdating) await update({ file, results: done }, this.#output.directory)
      results.push(...done)
    }
    // A filter keeps its cases while some of them fail, and when all pass too.
    if (!isFiltered) this.#failed = failed
    const { branches, missedBranches } = counter.report().document
    const missed = missedBranches.slice(0, 3).map(({ line }) => `${this.#main}:${line}`)
    const coverage =
      results.length === 0 || branches.total === 0
        ? undefined
        : `branches ${branches.covered}/${branches.total}${missed.length > 0 ? ` (${missed.join(', ')})` : ''}`
    return { results, coverage }
  }

  async #publish(card: CardFile): Promise<string[]> {
    const { flags } = this.#given
    const [key, server] = [textOf(flags, 'publish'), textOf(flags, 'server')]
    if (key === undefined || server === undefined) return []
    const remote = await RemoteSandbox.open(server, textOf(flags, 'control-token'))
    const variables = readVariables(undefined, resolve(this.#output.directory, dirname(this.#main))) ?? {}
    await remote.publish(key, card.code, variables)
    return [` published on card ${key} of ${server}`]
  }
}
