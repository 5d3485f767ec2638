// Executions as the live service was seen to send them where its document says otherwise: `behaviour: observed`.

import type { Execution } from './card-records.js'
import type { ExecutionRecord } from './cards.js'

/**
 * An execution, including its error. The beforeTransaction of a transaction does not show the decision, and times
 * have no trailing zeros: `2026-03-25T08:00:00.5Z`.
 */
export function observedExecution({ execution, error }: ExecutionRecord): Execution {
  const { sandbox, type, authorizationApproved, logs } = execution
  return {
    ...execution,
    authorizationApproved: !sandbox && type === 'before_transaction' ? null : authorizationApproved,
    logs: logs.map((log) => ({ ...log, createdAt: shortTime(log.createdAt) })),
    createdAt: shortTime(execution.createdAt),
    startedAt: shortTime(execution.startedAt),
    completedAt: shortTime(execution.completedAt),
    updatedAt: shortTime(execution.updatedAt),
    Error: error,
  }
}

/** `2026-03-25T08:00:00.480Z` → `2026-03-25T08:00:00.48Z`, and without a fraction when it is zero. */
const shortTime = (time: string): string =>
  time.replace(/(\.\d*?)0+Z$/, (_, kept: string) => `${kept === '.' ? '' : kept}Z`)
