// Lints card code when it is saved: findings are warnings of the call, in the log and in the journal. Nothing is
// refused because of them.

import type { Host } from '../endpoint/endpoint.js'
import type { Warning } from '../protocol/warning.js'

/** Longer code, such as a bundle, is not linted here, because the lint runs on the main thread. In characters. */
export const maxLintedLength = 32_768
/** The most findings that are reported for one call. */
const maxFindings = 20

interface Saving extends Pick<Host, 'listensAt'> {
  warn(warnings: readonly Warning[]): void
}

/** Warns about the findings in saved code. Only a server has a log; elsewhere nothing is loaded. */
export async function warnOfFindings(saving: Saving, code: string): Promise<void> {
  if (saving.listensAt.size === 0 || code.length > maxLintedLength) return
  const { lintCard } = await import('../card-code/lint/lint.js')
  const findings = lintCard(code).filter(({ severity }) => severity !== 'info')
  saving.warn(
    findings.slice(0, maxFindings).map(({ rule, line, column, message }) => ({
      code: 'card-lint',
      path: '/code',
      message: `main.js:${line}:${column} ${message} (${rule})`,
    })),
  )
}
