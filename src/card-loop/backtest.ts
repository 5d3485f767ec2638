// `card backtest`: which decisions a change of the code would have changed.

import { execFileSync } from 'node:child_process'
import { basename, dirname, resolve } from 'node:path'
import { bankOptions, numberOf, textOf, type Arguments } from './arguments.js'
import { backtestHtml } from './backtest-html.js'
import { pastPurchases } from './backtest-purchases.js'
import { backtestCsv, backtestText, reportOf } from './backtest-report.js'
import { decideAll } from './backtest-run.js'
import { BankUnderTest } from './bank-under-test.js'
import { type CardFile, readCardFile, readVariables } from './card-file.js'
import { cardOf } from './decision.js'
import { LoopError } from './loop-error.js'
import { grouped } from './amounts.js'
import { writeText, type Output } from './output.js'
import { readStubs } from './stub-file.js'

/** Runs the command; returns the exit code. Rejects with a {@link LoopError}. */
export async function backtest({ operands, flags }: Arguments, output: Output): Promise<number> {
  const { print, directory } = output
  const [file = 'main.js'] = operands
  const against = textOf(flags, 'against')
  const months = numberOf(flags, 'months', 1, 120) ?? 12
  const card = textOf(flags, 'card')
  const stubFile = textOf(flags, 'stubs')
  const stubs = stubFile === undefined ? [] : await readStubs(stubFile, directory)
  const variables = readVariables(textOf(flags, 'variables'), directory) ?? {}
  const fresh = await readCardFile(file, directory)
  const old = against === undefined ? undefined : await readVersion(file, against, directory)
  const programOf = ({ code }: CardFile) => ({ code, variables })
  const versions = [programOf(fresh), ...(old ? [programOf(old)] : [])] as const
  const bank = await BankUnderTest.open(bankOptions(flags))
  try {
    const lane = await bank.lane(0)
    const source = { from: textOf(flags, 'from'), columns: textOf(flags, 'columns'), months, card }
    const cardKey = await cardOf(lane, card)
    const purchases = await pastPurchases(lane, cardKey, source, directory)
    if (purchases.length === 0)
      throw new LoopError('There are no purchases in this time; --months asks for more of them.')
    const bar = progressOf(output, flags.json === true)
    const verdicts = await decideAll({ bank, cardKey, purchases, versions, stubs, tell: bar.tell })
    bar.clear()
    const report = reportOf({ file, against }, purchases, verdicts)
    const [html, csv] = [textOf(flags, 'html'), textOf(flags, 'csv')]
    if (html !== undefined) writeText(resolve(directory, html), html, backtestHtml(report))
    if (csv !== undefined) writeText(resolve(directory, csv), csv, backtestCsv(purchases, verdicts))
    print(flags.json === true ? JSON.stringify(report, null, 2) : backtestText(report))
    return report.new.failed > (report.old?.failed ?? 0) ||
      (flags['fail-on-change'] === true && report.changed.length > 0)
      ? 1
      : 0
  } finally {
    await bank.close()
  }
}

/** Another version: a file, or the same file as git has it at a ref. */
function readVersion(file: string, against: string, directory: string): Promise<CardFile> {
  if (!against.startsWith('git:')) return readCardFile(against, directory)
  const ref = against.slice('git:'.length)
  if (!/^[\w][\w./@{}^~-]*$/.test(ref))
    throw new LoopError(`--against git:REF needs a ref such as git:HEAD, not '${against}'.`)
  const path = resolve(directory, file)
  try {
    const source = execFileSync('git', ['-C', dirname(path), 'show', `${ref}:./${basename(path)}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 8 * 1024 * 1024,
    })
    return readCardFile(file, directory, source)
  } catch (error) {
    const { stderr, code, message } = error as Error & { stderr?: string; code?: string }
    if (code === 'ENOENT') throw new LoopError('--against git:REF needs git, which is not installed.')
    throw new LoopError(`git has no ${file} at ${ref}: ${(stderr ?? message).trim().split('\n')[0]!}.`)
  }
}

/** Progress, when output is a terminal. */
function progressOf({ progress }: Output, isQuiet: boolean) {
  let shown = -1
  return {
    tell: (done: number, total: number): void => {
      const percent = Math.floor((done / total) * 100)
      if (!progress || isQuiet || total < 2_000 || percent === shown) return
      shown = percent
      const bar = '█'.repeat(Math.floor(percent / 4)).padEnd(25, '░')
      progress(`${bar} ${percent} %  ${grouped(done)} of ${grouped(total)}`)
    },
    clear: (): void => {
      if (shown >= 0) progress?.('')
    },
  }
}
