// The reports of `card test`: as text, as JSON, and for CI servers.

import type { CardFile } from './card-file.js'
import type { CaseFile } from './case-file.js'
import type { CaseResult, StepResult } from './case-run.js'
import type { CoverageReport } from './coverage-report.js'
import { hasFailed } from './decision.js'
import { data, property } from './lint-command.js'
import { failureLines, happenings, milliseconds, printable } from './show.js'

/** The results of one file. */
export interface FileReport {
  readonly file: CaseFile
  readonly card: CardFile
  readonly results: readonly CaseResult[]
  readonly coverage: CoverageReport | undefined
}

export const reporters = ['text', 'json', 'junit', 'github'] as const

/** The width of the names in a list; the longest names may exceed it. */
export const nameWidth = (results: readonly CaseResult[]): number =>
  Math.max(32, ...results.map(({ case: { name } }) => name.length).filter((length) => length <= 56))

/** One case in a list whose names are `width` wide. */
export function caseLine({ case: { name }, status, steps }: CaseResult, width: number): string {
  const mark = { passed: '✓', failed: '✕', new: '?' }[status]
  const decisions = steps.map(({ decision, mismatches }) =>
    mismatches.length > 0 ? decision.decision.toUpperCase() : decision.decision,
  )
  const used = Math.max(
    0,
    ...steps.flatMap(({ decision }) =>
      decision.hooks.filter(({ hook }) => hook === 'beforeTransaction').map(({ usedMs }) => usedMs),
    ),
  )
  const shown = decisions.length > 3 ? `${decisions.length} purchases` : decisions.join(', ')
  return ` ${mark} ${printable(name).padEnd(width)} ${shown.padEnd(10)} ${milliseconds(used).padStart(8)}${status === 'new' ? '  no expect: --update writes it' : ''}`
}

/** Why a case failed: expected, got, the log, and where the code failed. */
export function caseDetails({ steps }: CaseResult, card: CardFile): string[] {
  return steps.flatMap((step, index) => {
    const lines = stepDetails(step, card)
    return lines.length > 0 && steps.length > 1 ? [`   purchase ${index + 1}`, ...lines] : lines
  })
}

function stepDetails({ decision, later, mismatches }: StepResult, card: CardFile): string[] {
  const hooks = [...decision.hooks, ...later]
  if (mismatches.length === 0 && !hooks.some(hasFailed)) return []
  const lines = mismatches.flatMap(({ what, expected, got }) => [
    `   ${what}`,
    `     expected  ${printable(expected)}`,
    `     got       ${printable(got)}`,
  ])
  for (const hook of hooks) {
    lines.push(...happenings(hook).map((line) => `   ${line}`))
    if (hasFailed(hook))
      lines.push(
        `   ${hook.hook} ${hook.failure!.code}`,
        ...failureLines(hook.failure!, card).map((line) => ` ${line}`),
      )
  }
  return lines
}

const total = (reports: readonly FileReport[], status: CaseResult['status']): number =>
  reports.reduce((sum, { results }) => sum + results.filter((each) => each.status === status).length, 0)

/** The report for people. */
export function textReport(reports: readonly FileReport[]): string {
  const lines: string[] = []
  for (const { file, card, results, coverage } of reports) {
    lines.push(file.file)
    const width = nameWidth(results)
    for (const result of results) {
      lines.push(caseLine(result, width))
      if (result.status === 'failed') lines.push(...caseDetails(result, card))
    }
    if (coverage) lines.push(...coverage.lines)
  }
  lines.push(summary(reports))
  return lines.join('\n')
}

function summary(reports: readonly FileReport[]): string {
  const all = reports.reduce((sum, { results }) => sum + results.length, 0)
  const [failed, fresh] = [total(reports, 'failed'), total(reports, 'new')]
  const rest = [failed > 0 ? `${failed} failed` : '', fresh > 0 ? `${fresh} without expect` : '']
  return [`${all - failed - fresh} of ${all} passed`, ...rest.filter((part) => part !== '')].join(', ')
}

export function jsonReport(reports: readonly FileReport[]): string {
  const document = {
    passed: total(reports, 'passed'),
    failed: total(reports, 'failed'),
    withoutExpect: total(reports, 'new'),
    files: reports.map(({ file, results, coverage }) => ({
      file: file.file,
      code: file.code,
      ...(coverage && { coverage: coverage.document }),
      cases: results.map(({ case: { name, line }, status, steps }) => ({
        name,
        line,
        status,
        steps: steps.map(({ decision, later, mismatches, step }) => ({
          purchase: step.purchase,
          ...decision,
          hooks: [...decision.hooks, ...later],
          mismatches,
        })),
      })),
    })),
  }
  return JSON.stringify(document, null, 2)
}

/** JUnit's XML, as CI servers read it. */
export function junitReport(reports: readonly FileReport[]): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="card" tests="${reports.reduce((sum, { results }) => sum + results.length, 0)}" failures="${total(reports, 'failed')}">`,
  ]
  for (const { file, card, results } of reports) {
    const failures = results.filter(({ status }) => status === 'failed').length
    lines.push(`  <testsuite name="${xml(file.file)}" tests="${results.length}" failures="${failures}">`)
    for (const result of results) {
      const { case: each, status, ms } = result
      const head = `    <testcase classname="${xml(file.file)}" name="${xml(each.name)}" file="${xml(file.file)}" line="${each.line}" time="${(ms / 1000).toFixed(3)}"`
      if (status !== 'failed') lines.push(`${head}/>`)
      else
        lines.push(
          `${head}>`,
          `      <failure message="${xml(headline(result))}">${xml(caseDetails(result, card).join('\n'))}</failure>`,
          '    </testcase>',
        )
    }
    lines.push('  </testsuite>')
  }
  return [...lines, '</testsuites>'].join('\n')
}

/** Annotations for GitHub Actions, on the lines of the test file. */
export function githubReport(reports: readonly FileReport[]): string {
  const lines = reports.flatMap(({ file, card, results }) =>
    results
      .filter(({ status }) => status === 'failed')
      .map(
        (result) =>
          `::error file=${property(file.file)},line=${result.case.line},title=${property(result.case.name)}::${data([headline(result), ...caseDetails(result, card)].join('\n'))}`,
      ),
  )
  return [...lines, summary(reports)].join('\n')
}

const headline = ({ steps }: CaseResult): string => {
  const [first] = steps.flatMap(({ mismatches }) => mismatches)
  return first ? `${first.what}: expected ${first.expected}, got ${first.got}` : 'the code failed'
}

const xml = (text: string): string =>
  printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
