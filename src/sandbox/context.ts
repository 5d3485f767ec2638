// What the handler of an endpoint is given.

import type { Bank } from '../bank/bank.js'
import type { Grant } from '../bank/credentials.js'
import type { Host } from '../endpoint/endpoint.js'
import type { Call } from '../protocol/call.js'
import type { Workspace } from '../workspace/workspace.js'
import type { Header, Query } from './request.js'

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

  constructor(
    host: Host,
    readonly workspace: Workspace,
    readonly bank: Bank | undefined,
    readonly grant: Grant | undefined,
    readonly params: Readonly<Record<string, string>>,
    readonly query: Query,
    readonly body: unknown,
    readonly call: Call,
    readonly header: Header,
  ) {
    this.workspaces = host.workspaces
    this.listensAt = host.listensAt
    this.runner = host.runner
    this.handle = host.handle
    this.openApi = host.openApi
    this.stateFile = host.stateFile
  }
}
