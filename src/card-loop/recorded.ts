// Purchases in recorded executions: the bank's default code logs the argument of each hook, so a list of executions
// contains the purchases.

import { isJsonObject, type JsonObject } from '../protocol/json.js'
import { readJson } from './card-file.js'
import { LoopError } from './loop-error.js'
import { type PurchaseRequest, purchaseOfDocument } from './purchase.js'

interface Logged {
  readonly executionId: string
  readonly type: string
  readonly createdAt: string
  readonly argument: unknown
}

/** The executions of a document that log the argument of a hook. */
export function loggedArguments(document: unknown): Logged[] {
  return executionsOf(document).flatMap((execution) => {
    const logs = Array.isArray(execution.logs) ? (execution.logs as unknown[]) : []
    for (const log of logs) {
      const argument = isJsonObject(log) ? argumentIn(log.content) : undefined
      if (!argument) continue
      const { executionId, type, createdAt } = execution
      return [
        { executionId: String(executionId), type: String(type), createdAt: String(createdAt), argument },
      ]
    }
    return []
  })
}

function argumentIn(content: unknown): JsonObject | undefined {
  if (typeof content !== 'string' || !content.startsWith('{') || content.length > 20_000) return undefined
  try {
    const value = JSON.parse(content) as unknown
    return isJsonObject(value) && value.centsAmount !== undefined && isJsonObject(value.merchant)
      ? value
      : undefined
  } catch {
    return undefined
  }
}

/** The executions in an answer of the bank, in a list, or in one execution. */
function executionsOf(document: unknown): JsonObject[] {
  if (Array.isArray(document)) return document.flatMap((each) => executionsOf(each))
  if (!isJsonObject(document)) return []
  if (Array.isArray(document.logs)) return [document]
  for (const key of ['data', 'result', 'executionItems', 'executions']) {
    if (document[key] === undefined) continue
    const found = executionsOf(document[key])
    if (found.length > 0) return found
  }
  return []
}

/** The purchase of `FILE#ID`; by default of the newest execution. Throws a {@link LoopError}. */
export function recordedPurchase(asked: string, directory: string): PurchaseRequest {
  const mark = asked.lastIndexOf('#')
  const file = mark === -1 ? asked : asked.slice(0, mark)
  const id = mark === -1 ? undefined : asked.slice(mark + 1)
  const logged = loggedArguments(readJson(file, directory))
  if (logged.length === 0)
    throw new LoopError(
      `${file} has no execution whose logs hold the argument of a hook: console.log(authorization) writes it.`,
    )
  const found =
    id === undefined
      ? logged[0]
      : logged.find(({ executionId }) => executionId.toUpperCase() === id.toUpperCase())
  if (!found)
    throw new LoopError(
      `${file} has no execution ${id!}; it has ${logged
        .slice(0, 10)
        .map(({ executionId }) => executionId)
        .join(', ')}.`,
    )
  return purchaseOfDocument(found.argument, `${file}, execution ${found.executionId}`)
}
