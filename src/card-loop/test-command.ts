// `card test`: finds the test files, runs their cases, reports.

import { choiceOf, numberOf, textOf, type Arguments } from './arguments.js'
import { type CardFile, readCardFile } from './card-file.js'
import { type CaseFile, caseFilesOf, readCaseFile } from './case-file.js'
import { CaseRunner } from './case-run.js'
import { overridden, update } from './case-update.js'
import { coverageOf } from './coverage-report.js'
import { LoopError } from './loop-error.js'
import type { Output } from './output.js'
import { type FileReport, githubReport, jsonReport, junitReport, reporters, textReport } from './reporters.js'

/** Runs the command; the exit code. Rejects with a LoopError. */
export async function test(given: Arguments, output: Output): Promise<number> {
  const { operands, flags } = given
  if (flags.watch === true) return (await import('./watch.js')).watchCases(given, output)
  const { print, directory } = output
  const min = numberOf(flags, 'min', 0, 100)
  if (min !== undefined && flags.coverage !== true) throw new LoopError('--min goes with --coverage.')
  const reporter = flags.json === true ? 'json' : (choiceOf(flags, 'reporter', reporters) ?? 'text')
  const files: CaseFile[] = []
  const faults: string[] = []
  for (const file of caseFilesOf(operands, directory))
    try {
      files.push(overridden(await readCaseFile(file, directory), given))
    } catch (error) {
      if (!(error instanceof LoopError)) throw error
      faults.push(error.message)
    }
  if (faults.length > 0) throw new LoopError(faults.join('\n'))
  const runner = new CaseRunner()
  const reports: FileReport[] = []
  try {
    for (const file of files) {
      const card = await readCardFile(file.code, directory)
      reports.push(await runFile(runner, file, card, flags))
    }
  } finally {
    await runner.close()
  }
  if (reports.every(({ results }) => results.length === 0))
    throw new LoopError(`No case has '${textOf(flags, 'name') ?? ''}' in its name.`)
  if (flags.update === true) for (const report of reports) await update(report, directory)
  const shown = { text: textReport, json: jsonReport, junit: junitReport, github: githubReport }
  print(shown[reporter](reports))
  const isBelow = reports.some(
    ({ coverage }) => coverage && min !== undefined && coverage.document.lines.percent < min,
  )
  if (isBelow && reporter === 'text') print(`The coverage of lines is below ${min!} %.`)
  return isBelow || reports.some(({ results }) => results.some(({ status }) => status === 'failed')) ? 1 : 0
}

async function runFile(
  runner: CaseRunner,
  file: CaseFile,
  card: CardFile,
  flags: Arguments['flags'],
): Promise<FileReport> {
  const name = textOf(flags, 'name')
  const cases = name === undefined ? file.cases : file.cases.filter((each) => each.name.includes(name))
  const coverage = flags.coverage === true ? await coverageOf(card) : undefined
  const results = await runner.run(file, card, cases, coverage?.lens)
  return { file, card, results, coverage: coverage?.report() }
}
