// A client of a sandbox in the process, for tests: signs in and speaks JSON.

import type { Call, Reply } from '../src/protocol/call.js'
import { Sandbox, type SandboxOptions } from '../src/sandbox/sandbox.js'
import { standardSignIn } from './ids.js'

export { accountIds, everyday, savings, standardSignIn } from './ids.js'

/** The instant at which the clock of tests is frozen by default. */
export const testMs = Date.parse('2026-03-25T08:00:00Z')

export const sandboxAt = (nowMs = testMs, options: SandboxOptions = {}): Sandbox =>
  new Sandbox({ nowMs, ...options })

export interface SignIn {
  readonly clientId: string
  readonly clientSecret: string
  readonly apiKey: string
}

export const tokenCall = ({ clientId, clientSecret, apiKey }: SignIn = standardSignIn): Call => ({
  method: 'POST',
  path: '/identity/v2/oauth2/token',
  headers: {
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    'x-api-key': apiKey,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: 'grant_type=client_credentials&scope=accounts',
})

/** A reply with its body as text, and the value of the text when it is JSON. */
export interface Answer extends Omit<Reply, 'body'> {
  readonly body: string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what answers hold is what tests are about
  readonly json: any
}

const answer = (reply: Reply): Answer => {
  const body = typeof reply.body === 'string' ? reply.body : Buffer.from(reply.body).toString('utf8')
  const json: unknown = reply.headers['content-type']?.includes('json') ? JSON.parse(body) : undefined
  return { ...reply, body, json }
}

/** Calls with a token, and calls of the control API. */
export class Client {
  constructor(
    readonly sandbox: Sandbox,
    readonly token: string,
    readonly workspace?: string,
  ) {}

  /** A client that has signed in, of the main workspace or of another. */
  static async of(sandbox: Sandbox, signIn?: SignIn, workspace?: string): Promise<Client> {
    const { json } = answer(await sandbox.handle(tokenCall(signIn)))
    return new Client(sandbox, json.access_token as string, workspace)
  }

  async get(path: string): Promise<Answer> {
    return answer(await this.sandbox.handle({ method: 'GET', path, headers: this.#headers }))
  }

  /** The data that a GET answers; throws when it is refused. */
  async data<T>(path: string): Promise<T> {
    const { status, body, json } = await this.get(path)
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${body}`)
    return (json as { data: T }).data
  }

  async call(method: string, path: string, body?: Call['body']): Promise<Answer> {
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    return answer(await this.sandbox.handle({ method, path, headers, body }))
  }

  async post(path: string, body: object): Promise<Answer> {
    return answer(await this.sandbox.handle({ method: 'POST', path, headers: this.#headers, body }))
  }

  /** A call of the control API: `control('POST', 'clock', { advance: 'P1D' })`. */
  async control(method: string, path: string, body?: object): Promise<Answer> {
    const query = this.workspace === undefined ? {} : { workspace: this.workspace }
    return answer(await this.sandbox.handle({ method, path: `/_sandbox/${path}`, query, body }))
  }

  get #headers() {
    return { authorization: `Bearer ${this.token}` }
  }
}
