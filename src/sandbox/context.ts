// The argument of an endpoint's handler.

import type { Bank } from '../bank/bank.js'
import type { Grant } from '../bank/credentials.js'
import type { Host } from '../endpoint/endpoint.js'
import type { Authorization } from '../protocol/authorization.js'
import type { Call } from '../protocol/call.js'
import type { Warning } from '../protocol/warning.js'
import type { Workspace } from '../workspace/workspace.js'
import type { Header, ParsedCall, Query } from './request.js'

/** What the earlier steps have found out about a call. */
export interface Known {
  readonly workspace: Workspace
  readonly bank: Bank | undefined
  readonly grant: Grant | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: unknown
  readonly form: URLSearchParams | undefined
  readonly parsed: ParsedCall
}

/**
 * The context of one call. A class with every field named, and not a literal with the host's fields spread into it:
 * V8 makes a slow object of that, which cost five times as much as the rest of a small call.
 */
export class CallContext implements Host {
  readonly workspaces: Host['workspaces']
  readonly listensAt: Host['listensAt']
  readonly runner: Host['runner']
  readonly handle: Host['handle']
  readonly openApi: Host['openApi']
  readonly stateFile: Host['stateFile']

  readonly workspace: Workspace
  readonly bank: Bank | undefined
  readonly grant: Grant | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: unknown
  readonly form: URLSearchParams | undefined
  readonly call: Call
  readonly header: Header
  readonly authorization: Authorization
  /** The warnings of `handle`. */
  warnings: readonly Warning[] | undefined

  constructor(host: Host, known: Known) {
    this.workspaces = host.workspaces
    this.listensAt = host.listensAt
    this.runner = host.runner
    this.handle = host.handle
    this.openApi = host.openApi
    this.stateFile = host.stateFile
    this.workspace = known.workspace
    this.bank = known.bank
    this.grant = known.grant
    this.params = known.params
    this.query = known.query
    this.body = known.body
    this.form = known.form
    this.call = known.parsed.call
    this.header = known.parsed.header
    this.authorization = known.parsed.authorization
    this.warnings = undefined
  }

  warn(warnings: readonly Warning[]): void {
    if (warnings.length > 0) this.warnings = [...(this.warnings ?? []), ...warnings]
  }
}
