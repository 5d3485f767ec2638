// What the handler of an endpoint is given.

import type { Bank } from '../bank/bank.js'
import type { Grant } from '../bank/credentials.js'
import type { Host } from '../endpoint/endpoint.js'
import type { Authorization } from '../protocol/authorization.js'
import type { Call } from '../protocol/call.js'
import type { Workspace } from '../workspace/workspace.js'
import type { Header, ParsedCall, Query } from './request.js'

/** What the steps before have found out about a call. */
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
 * One call's context. A class with every field named, and not the host's fields spread into a literal: V8 makes a slow
 * object of that, which cost five times as much as all the rest of a small call.
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
  }
}
