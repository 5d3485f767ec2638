// The rules of the lint, one entry each: the severity of a finding, and a general description.

export type Severity = 'error' | 'warning' | 'info'

export interface Rule {
  readonly severity: Severity
  /** One line, as the table of docs/card-lint.md shows it. */
  readonly summary: string
}

/** `error`: the card certainly misbehaves. `warning`: it probably does. `info`: worth knowing. */
export const rules = {
  syntax: {
    severity: 'error',
    summary: 'main.js does not parse: no hook runs, and every purchase is approved',
  },
  'module-syntax': {
    severity: 'error',
    summary: '`import`, `export` and top-level `await` do not exist in main.js',
  },
  'no-hook': { severity: 'error', summary: 'main.js has no hook at all' },
  'misspelt-hook': {
    severity: 'error',
    summary: 'A function is named almost like a hook: it is never called',
  },
  'nested-hook': {
    severity: 'error',
    summary: 'A hook is declared inside a block or a function: it is never called',
  },
  'hook-not-function': { severity: 'error', summary: 'A hook is not a function' },
  'non-boolean-return': {
    severity: 'error',
    summary: '`beforeTransaction` returns something other than true or false: the purchase is approved',
  },
  'await-precedence': {
    severity: 'error',
    summary: 'A property is read from a promise: `await response.json().ok` is always undefined',
  },
  'promise-as-condition': {
    severity: 'error',
    summary: 'A promise is used as a condition: it is always true',
  },
  'unknown-global': { severity: 'error', summary: 'A name that nothing declares, such as `require`' },
  'unknown-property': { severity: 'error', summary: 'The argument of a hook has no such property' },
  'endless-loop': { severity: 'error', summary: 'A loop that never ends: the hook runs into its time limit' },
  'no-before-hook': {
    severity: 'warning',
    summary: 'There is no `beforeTransaction`: every purchase is approved',
  },
  'duplicate-hook': { severity: 'warning', summary: 'A hook is defined twice: only the last one runs' },
  'missing-decision': {
    severity: 'warning',
    summary: 'A path through `beforeTransaction` ends without `return`: the purchase is approved',
  },
  'category-code-number': {
    severity: 'warning',
    summary: 'A merchant category code is compared with a number: it is a text',
  },
  'category-code-format': {
    severity: 'warning',
    summary: 'A merchant category code is compared with a text that is not four digits',
  },
  'currency-case': {
    severity: 'warning',
    summary: 'A currency is compared in upper case: hooks get it in lower case',
  },
  'country-case': {
    severity: 'warning',
    summary: 'A country code is compared in lower case: hooks get it in upper case',
  },
  'object-in-text': {
    severity: 'warning',
    summary: 'An object is added to a text: the text says [object Object]',
  },
  'floating-promise': { severity: 'warning', summary: 'A promise is started and never awaited' },
  'fetch-without-deadline': {
    severity: 'warning',
    summary: 'A fetch in `beforeTransaction` has no deadline: a slow server approves the purchase',
  },
  'undeclared-assignment': {
    severity: 'warning',
    summary: 'A value is assigned to a name that nothing declares',
  },
  'assignment-in-condition': {
    severity: 'warning',
    summary: '`=` is used in a condition, where `===` is meant',
  },
  'missing-variable': { severity: 'warning', summary: 'A variable that env.json does not set is read' },
  'variable-as-number': { severity: 'warning', summary: 'A variable is used as a number: it is a text' },
  'variable-as-boolean': {
    severity: 'warning',
    summary: 'A variable is used as true or false: it is a text',
  },
  'fractional-cents': { severity: 'warning', summary: 'An amount in cents is compared with a fraction' },
  'engine-lacks': { severity: 'warning', summary: 'Something that Node.js has and the card runtime lacks' },
  chance: { severity: 'info', summary: 'The decision depends on chance' },
  'simulation-only': {
    severity: 'info',
    summary: 'A branch that only simulations, or only real purchases, run',
  },
} as const satisfies Readonly<Record<string, Rule>>

export type RuleId = keyof typeof rules

/** One thing that the lint found. */
export interface Finding {
  readonly rule: RuleId
  readonly severity: Severity
  /** One sentence: what is wrong, and what would be right. */
  readonly message: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  /** Where the marked text ends; from 1, the column is that after the last character. */
  readonly endLine: number
  readonly endColumn: number
}
