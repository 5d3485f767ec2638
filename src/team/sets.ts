// Calls that are about the set of workspaces: list, create, delete. The store has the set; a replica has a few of it.

import { randomSecret } from '../determinism/random.js'
import type { Reply } from '../protocol/call.js'
import type { ParsedCall } from '../sandbox/request.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { mainName } from '../workspace/clients.js'
import { hashOf } from './control-tokens.js'
import type { News } from './envelope.js'
import type { Holdings } from './holdings.js'
import { Lost, type Owned } from './owned.js'
import { Saved } from './saved.js'
import { readShown, shownText } from './shown.js'
import type { Store } from './store.js'
import { markIn, type Target } from './target.js'

const json = { 'content-type': 'application/json; charset=utf-8' }

/** Carries out the calls of a workspace that is here. */
export class Sets {
  readonly #sandbox: Sandbox
  readonly #store: Store
  readonly #holdings: Holdings
  /** One workspace is made after the other: each looks at the names before. */
  #making: Promise<unknown> = Promise.resolve()

  readonly #announce: (news: News) => void

  constructor(sandbox: Sandbox, store: Store, holdings: Holdings, announce: (news: News) => void) {
    this.#sandbox = sandbox
    this.#store = store
    this.#holdings = holdings
    this.#announce = announce
  }

  /** All workspaces, the main one first. */
  async list({ call }: ParsedCall): Promise<Reply> {
    const rows = await this.#store.list()
    const all = [
      ...rows.filter(({ name }) => name === mainName),
      ...rows.filter(({ name }) => name !== mainName),
    ]
    const body = JSON.stringify({ workspaces: all.map(({ shown }) => readShown(shown)) })
    return { status: 200, headers: json, body: call.method === 'HEAD' ? '' : body }
  }

  /** Answers a call of a workspace that is here. */
  async perform(owned: Owned, parsed: ParsedCall, { task }: Target): Promise<Reply> {
    if (task === 'create') {
      const made = this.#making.then(() => this.#create(owned, parsed))
      this.#making = made.catch(() => undefined)
      return made
    }
    const reply = await this.#sandbox.handleParsed(parsed, owned.workspace)
    if (task === 'delete' && reply.status === 200) {
      if (!(await this.#store.remove(owned.claim, this.#holdings.me))) throw new Lost('it belongs to another')
      this.#holdings.removed(owned)
      this.#announce({ name: owned.workspace.name, change: 'removed' })
    }
    return reply
  }

  async #create(owned: Owned, parsed: ParsedCall): Promise<Reply> {
    const { workspaces } = this.#sandbox
    for (;;) {
      const names = new Set((await this.#store.list()).map(({ name }) => name))
      for (const { name } of workspaces.all) names.delete(name)
      workspaces.elsewhere = { has: (name) => names.has(name), size: names.size }
      const reply = await this.#sandbox.handleParsed(parsed, owned.workspace)
      workspaces.elsewhere = { has: () => false, size: 0 }
      if (reply.status !== 200) return reply
      const body = JSON.parse(String(reply.body)) as { readonly name: string }
      const controlToken = randomSecret()
      if (await this.#keep(body.name, controlToken)) {
        this.#announce({ name: body.name, change: 'made' })
        return { ...reply, body: JSON.stringify({ ...body, controlToken }) }
      }
    }
  }

  /** Stores a new workspace, which belongs to nobody until somebody calls it. False when its name is taken by now. */
  async #keep(name: string, controlToken: string): Promise<boolean> {
    const workspace = this.#sandbox.workspaces.get(name)
    try {
      const bank = await workspace.open()
      const commit = new Saved(this.#holdings.hasJournal).compare(workspace, bank, shownText(workspace))
      const row = { mark: markIn(name), owner: null, controlHash: hashOf(controlToken) }
      return (await this.#store.add(name, row, commit)) !== undefined
    } finally {
      this.#sandbox.workspaces.drop(name)
    }
  }
}
