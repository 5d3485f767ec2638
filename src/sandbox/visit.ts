// A call on its way through the six steps.

import type { Bank } from '../bank/bank.js'
import type { Grant } from '../bank/credentials.js'
import { monotonicMs } from '../determinism/clock.js'
import type { Endpoint } from '../endpoint/endpoint.js'
import type { FaultEffect } from '../faults/faults.js'
import type { Warning } from '../protocol/warning.js'
import type { Workspace } from '../workspace/workspace.js'
import type { Deviations } from './normalise.js'
import type { ParsedCall } from './request.js'

/** A call, with what the steps have found out. All fields exist from the start, which V8 makes a fast object of. */
export class Visit {
  /** Epoch ms of the workspace's clock. */
  startMs: number
  /** When it came, by {@link monotonicMs}. */
  readonly beganMs = monotonicMs()
  endpoint: Endpoint | undefined = undefined
  params: Record<string, string> = {}
  /** The path as its endpoint declares it. */
  canonicalPath: string
  /** The form of a token request. */
  form: URLSearchParams | undefined = undefined
  grant: Grant | undefined = undefined
  bank: Bank | undefined = undefined
  effect: FaultEffect | undefined = undefined
  deviations: Deviations | undefined = undefined
  /** What the endpoint adds to the log, besides the deviations of the request. */
  notes: readonly Warning[] | undefined = undefined
  /** Whether step 4 is over: from then on errors name fields as declared. */
  isValidated = false
  workspace: Workspace

  constructor(
    readonly parsed: ParsedCall,
    workspace: Workspace,
  ) {
    this.workspace = workspace
    this.startMs = workspace.clock.now()
    this.canonicalPath = parsed.path
  }
}

/** The client ids that a call signs in with, from a Basic header or from the form of a token request. */
export const clientIdsOf = ({ parsed, form }: Visit): string[] => {
  const inForm = form?.get('client_id')
  return [...parsed.authorization.basic.map(([clientId]) => clientId), ...(inForm ? [inForm] : [])]
}
