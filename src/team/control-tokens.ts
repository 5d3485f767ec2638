// Who may use the control API of a team's bank: whoever has the server's token, everything; whoever has the token of a
// workspace, that workspace; programs on this machine need none, but a token that is sent is judged.

import { createHash } from 'node:crypto'
import { timingSafeEqualText } from '../bank/credentials.js'
import { controlTokenNeeded } from '../http/guards.js'
import { Problem } from '../protocol/problem.js'
import type { Store } from './store.js'
import type { Target } from './target.js'

/** How the store keeps a control token. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

const accessToken = /^[A-Za-z0-9]{28}$/

/** The guard of the control API. */
export class ControlTokens {
  readonly #store: Store
  readonly #token: string | undefined

  /** @param token the server's token, if it has one */
  constructor(store: Store, token: string | undefined) {
    this.#store = store
    this.#token = token
  }

  /** Whether this is the server's token. */
  isServers(given: string | undefined): boolean {
    return given !== undefined && this.#token !== undefined && timingSafeEqualText(this.#token, given)
  }

  /**
   * Refuses a call of the control API. Rejects with `control-refused`.
   *
   * @param sent the token that was sent
   * @param foreign why the caller may not be on this machine
   */
  async check({ name, task }: Target, sent: string | undefined, foreign: string | undefined): Promise<void> {
    // Clients of the service send their access token with every call; that is no control token.
    const given = sent !== undefined && accessToken.test(sent) && !this.isServers(sent) ? undefined : sent
    if (given === undefined) {
      if (foreign === undefined) return
      throw this.#token === undefined
        ? new Problem('control-refused', `${foreign}; send the control token of your workspace.`)
        : controlTokenNeeded()
    }
    if (this.isServers(given)) return
    const owner = await this.#store.ofControlHash(hashOf(given))
    if (owner === undefined) throw controlTokenNeeded()
    if (owner !== name || task === 'list' || task === 'create')
      throw new Problem(
        'control-refused',
        `This control token is for the workspace ${owner} alone; name it with ?workspace=${owner}.`,
      )
  }
}
