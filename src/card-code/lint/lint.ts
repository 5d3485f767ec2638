// The lint of main.js: what certainly or probably goes wrong with it, found without running it. It loads a parser, so
// callers import it only when they need it.

import { sourceFault } from '../source-limits.js'
import { argumentRules } from './argument-rules.js'
import { decisionRules } from './decision-rules.js'
import { hookRules } from './hook-rules.js'
import { nameRules } from './name-rules.js'
import { type LintOptions, programOf, type Report } from './program.js'
import { promiseRules } from './promise-rules.js'
import { type Finding, type RuleId, rules, type Severity } from './rules.js'
import { TooComplex } from './scope.js'
import { functionAround, parseModule, parseScript, type Shape, treeOf } from './tree.js'

export { rules } from './rules.js'
export type { Finding } from './rules.js'
export type { LintOptions } from './program.js'

/** The most findings that are reported for one source. */
export const maxFindings = 200

/**
 * Finds what is wrong with a main.js, in the order of its lines. Never throws: a source that cannot be analysed has no
 * findings, and one that does not parse has one. `// card-lint-disable-next-line RULE` hides the findings of a line.
 */
export const lintCard = (source: string, options: LintOptions = {}): Finding[] => {
  const found: Finding[] = []
  const report: Report = (rule, node, message, severity = rules[rule].severity) => {
    const { start, end } = node.loc!
    // The whole program is marked at its first line.
    const to =
      node.type === 'Program' || end.line > start.line + 1
        ? { line: start.line, column: start.column + 1 }
        : end
    found.push(findingOf(rule, severity, message, start, to))
  }
  try {
    inspect(source, options, report, (finding) => found.push(finding))
  } catch (error) {
    if (!(error instanceof TooComplex || error instanceof RangeError)) throw error
  }
  const hidden = hiddenLines(source)
  return found
    .filter(({ rule, line }) => !hidden.get(line)?.has(rule))
    .sort((a, b) => a.line - b.line || a.column - b.column || (a.rule < b.rule ? -1 : 1))
    .slice(0, maxFindings)
}

interface At {
  readonly line: number
  /** From 0. */
  readonly column: number
}

const findingOf = (rule: RuleId, severity: Severity, message: string, start: At, end: At): Finding => ({
  rule,
  severity,
  message,
  line: start.line,
  column: start.column + 1,
  endLine: end.line,
  endColumn: end.column + 1,
})

const inspect = (
  source: string,
  options: LintOptions,
  report: Report,
  add: (finding: Finding) => void,
): void => {
  const fault = sourceFault(source)
  if (fault !== undefined) {
    const { line, message } = fault
    add(syntaxFinding(message, { line, column: 0 }))
    return
  }
  let root: Shape
  try {
    root = parseScript(source)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    unparsed(source, error, report, add)
    return
  }
  const program = programOf(source, root, options)
  for (const check of [hookRules, decisionRules, argumentRules, promiseRules, nameRules])
    check(program, report)
}

/** What is wrong with a source that is not a script. */
const unparsed = (
  source: string,
  error: SyntaxError,
  report: Report,
  add: (finding: Finding) => void,
): void => {
  const module = parseModule(source)
  const told = module ? moduleSyntax(module, source) : []
  for (const { node, message } of told) report('module-syntax', node, message)
  if (told.length > 0) return
  const loc = (error as SyntaxError & { loc: At }).loc
  const message = error.message.replace(/ \(\d+:\d+\)$/, '')
  add(syntaxFinding(message, loc))
}

const syntaxFinding = (message: string, at: At): Finding =>
  findingOf('syntax', 'error', `main.js does not parse: ${message}.`, at, { ...at, column: at.column + 1 })

const moduleSyntax = (root: Shape, source: string): { node: Shape; message: string }[] => {
  const tree = treeOf(source, root)
  return tree.nodes.flatMap((node) => {
    if (node.type === 'ImportDeclaration')
      return [{ node, message: 'import does not exist in main.js: bundle the file first, as card run does.' }]
    if (node.type.startsWith('Export'))
      return [{ node, message: 'export does not exist in main.js: declare the hook without it.' }]
    if (
      /^(AwaitExpression|ForOfStatement)$/.test(node.type) &&
      node.await !== false &&
      !functionAround(tree, node)
    )
      return [{ node, message: 'await at the top level does not exist in main.js: await inside the hook.' }]
    return []
  })
}

/** By line, the rules whose findings the line above hides. */
const hiddenLines = (source: string): Map<number, ReadonlySet<string>> => {
  const hidden = new Map<number, ReadonlySet<string>>()
  if (!source.includes('card-lint-disable-next-line')) return hidden
  for (const [index, line] of source.split('\n').entries()) {
    const [, ids] = /\/\/\s*card-lint-disable-next-line\s+([a-z][a-z, -]*)/.exec(line) ?? []
    if (ids !== undefined) hidden.set(index + 2, new Set(ids.split(/[\s,]+/)))
  }
  return hidden
}
