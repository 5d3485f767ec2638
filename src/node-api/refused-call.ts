// Refusals as errors: a method of the Node API rejects with these when the bank or the sandbox refuses its call.

import type { InputError } from '../protocol/problem.js'
import type { Reply } from '../protocol/call.js'

/**
 * The answer to a refused call.
 * @internal
 */
export interface Refusal {
  /** What was wrong and what would be right. */
  readonly detail: string
  /** The HTTP status of the refusal. */
  readonly status: number
  /** The kind of refusal: `urn:sandbox-server:problem:` followed by its code. */
  readonly type: string
  /** Each error of bad input, with a JSON pointer. */
  readonly faults: readonly InputError[]
}

/** A call was refused. */
abstract class RefusedCall extends Error {
  /** The HTTP status of the refusal. */
  readonly status: number
  /** The kind of refusal: `urn:sandbox-server:problem:` followed by its code. */
  readonly type: string
  /** Each error of bad input, with a JSON pointer. Not `errors`, which Jest prints as those of an AggregateError. */
  readonly faults: readonly InputError[]

  /** @internal */
  constructor({ detail, status, type, faults }: Refusal) {
    super(detail)
    this.status = status
    this.type = type
    this.faults = faults
  }
}

/** The control API refused a call: the message says what was wrong, and what would be right. */
export class ControlError extends RefusedCall {
  override readonly name = 'ControlError'
}

/** The bank refused a call of {@link ServiceClient}: the message says what was wrong, and what would be right. */
export class ServiceError extends RefusedCall {
  override readonly name = 'ServiceError'
}

/**
 * Reads the problem body of a reply, or the error body of the token endpoint.
 * @internal
 */
export function refusalOf({ status, body }: Reply): Refusal {
  const text = Buffer.from(body).toString()
  const said = parsed(text) as {
    detail?: string
    type?: string
    errors?: InputError[]
    error?: string
    error_description?: string
  }
  const { detail = said.error_description ?? text.slice(0, 200), type = said.error ?? 'unknown' } = said
  return { detail, status, type, faults: said.errors ?? [] }
}

/** An injected fault may answer with something that is not JSON. */
function parsed(text: string): object {
  try {
    return Object(JSON.parse(text)) as object
  } catch {
    return {}
  }
}
