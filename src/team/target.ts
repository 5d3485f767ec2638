// Whose call it is: the workspace that it names, by its token, its client or `?workspace=`.

import { markLength, markOf } from '../bank/credentials.js'
import { isControlPath } from '../protocol/call.js'
import { readForm, type ParsedCall } from '../sandbox/request.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { mainName } from '../workspace/clients.js'
import type { Store } from './store.js'

/** What a call of the control API is about. */
type Task = 'list' | 'create' | 'delete' | 'other'

/** Whose call it is. */
export interface Target {
  readonly name: string
  /** Set for a call of the control API. */
  readonly task?: Task
  /** The beginning of its token, when that decided. */
  readonly mark?: string
}

const setPath = '/_sandbox/workspaces'
/** More beginnings of tokens are forgotten. */
const maxMarks = 20_000

/** Finds the workspaces of calls. */
export class Targets {
  readonly #sandbox: Sandbox
  readonly #store: Store
  /** Names by the beginning of their tokens; main tokens have any beginning. */
  readonly #marks = new Map<string, string>()

  constructor(sandbox: Sandbox, store: Store) {
    this.#sandbox = sandbox
    this.#store = store
  }

  /** The target when no question to the store is needed. */
  known(parsed: ParsedCall): Target | undefined {
    if (isControlPath(parsed.path)) return controlTarget(parsed)
    const mark = this.markOf(parsed)
    const name = mark === undefined ? undefined : this.#marks.get(mark)
    return name === undefined ? undefined : { name, mark: mark! }
  }

  /** The target of any call. */
  async find(parsed: ParsedCall): Promise<Target> {
    const known = this.known(parsed)
    if (known) return known
    const mark = this.markOf(parsed)
    if (mark !== undefined) return this.ofMark(mark)
    const form = this.#isOfClient(parsed) ? readForm(parsed)?.get('client_id') : undefined
    const ids = parsed.authorization.basic.map(([clientId]) => clientId)
    return { name: await this.#ofClients(form ? [...ids, form] : ids) }
  }

  /** Asks the store for the workspace whose tokens begin so: the main one when there is none. */
  async ofMark(mark: string): Promise<Target> {
    const place = await this.#store.findByMark(mark)
    const name = place?.name ?? mainName
    if (this.#marks.size >= maxMarks) this.#marks.clear()
    this.#marks.set(mark, name)
    return { name, mark }
  }

  /** The beginning of the token that decides whose call it is; undefined when something else does. */
  markOf(parsed: ParsedCall): string | undefined {
    const { token } = parsed.authorization
    return token === undefined || isControlPath(parsed.path) || this.#isOfClient(parsed)
      ? undefined
      : token.slice(0, markLength)
  }

  forget(mark: string): void {
    this.#marks.delete(mark)
  }

  #isOfClient({ call, path }: ParsedCall): boolean {
    return call.method !== 'GET' && this.#sandbox.authOf(call.method, path) === 'client'
  }

  /** The rules of `Workspaces.ofClient`: the main one first, then the one that the client is named after. */
  async #ofClients(clientIds: readonly string[]): Promise<string> {
    if (clientIds.length === 0) return mainName
    const names = await this.#store.namesOfClients(clientIds)
    if (names.length === 0 || names.includes(mainName)) return mainName
    for (const clientId of clientIds)
      for (let dash = clientId.indexOf('-'); dash >= 0; dash = clientId.indexOf('-', dash + 1)) {
        const named = clientId.slice(dash + 1)
        if (names.includes(named)) return named
      }
    return names[0]!
  }
}

/** The row of a workspace has the beginning of its tokens; those of the main one have none. */
export const markIn = (name: string): string => (name === mainName ? '' : markOf(name))

function controlTarget({ path, query, call: { method } }: ParsedCall): Target {
  if (path === setPath) {
    if (method === 'GET' || method === 'HEAD') return { name: mainName, task: 'list' }
    if (method === 'POST') return { name: mainName, task: 'create' }
  }
  if (path.startsWith(`${setPath}/`)) {
    const name = decoded(path.slice(setPath.length + 1))
    if (name !== undefined && !name.includes('/'))
      return { name, task: method === 'DELETE' ? 'delete' : 'other' }
  }
  const { workspace } = query
  const named = typeof workspace === 'string' ? workspace : workspace?.join(',')
  return { name: named ?? mainName, task: 'other' }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
