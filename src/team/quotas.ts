// How much each workspace of a team's bank may have, so that one team does not use up what others need.

import { Problem } from '../protocol/problem.js'
import type { Owned } from './owned.js'

/** The quotas by name; what is omitted has no limit. */
export interface Quotas {
  /** Rows of its books, without those of the history at the start. */
  readonly rows?: number
  /** Bytes in the store. */
  readonly bytes?: number
  /** Calls that run card code at a time. */
  readonly executions?: number
}

/** The quotas of flags such as `rows=100000`. */
export const quotasOf = (texts: readonly string[]): Quotas =>
  Object.fromEntries(
    texts.map((text) => text.split('=')).map(([name, number]) => [name, Number(number)]),
  ) as Quotas

/** What makes room, and signing in, is allowed when a workspace is full. */
const allowed = /^\/+(?:_sandbox\/+(?:reset|scenario|state|settings|faults|clock)(?:[/?]|$)|identity\/)/i

/** Refuses a call that would use more than a quota. Throws `quota-exceeded`. */
export function checkQuotas(quotas: Quotas, { saved, workspace }: Owned, method: string, path: string): void {
  const { rows, bytes, executions } = quotas
  if (method === 'DELETE' || allowed.test(path)) return
  if (rows !== undefined && saved.rows >= rows) throw exceeded('rows', `has ${saved.rows} rows of ${rows}`)
  if (bytes !== undefined && saved.bytes >= bytes)
    throw exceeded('bytes', `has ${saved.bytes} bytes of ${bytes}`)
  if (!/\/(?:execute|transactions|publish|reverse|adjust)/i.test(path)) return
  const { underWay } = workspace.executions
  if (executions !== undefined && underWay >= executions)
    throw exceeded('executions', `has ${underWay} executions of ${executions} under way`, 1)
}

function exceeded(name: keyof Quotas, what: string, seconds?: number): Problem {
  return new Problem('quota-exceeded', `The quota ${name} is used up: the workspace ${what}.`, {
    members: { quota: name },
    ...(seconds !== undefined && { headers: { 'retry-after': String(seconds) } }),
  })
}
