// The example of an endpoint as a call to a sandbox: the OpenAPI document shows it, and the contract test sends it.

import type { Ask, Endpoint, Example } from './endpoint.js'
import { tokenCall } from '../protocol/authorization.js'
import type { Call, Reply } from '../protocol/call.js'
import { fillPath } from '../protocol/path.js'
import type { Workspace } from '../workspace/workspace.js'

/** An example and its answer. */
export interface Sample {
  readonly call: Call
  readonly reply: Reply
  readonly example: Example
}

/** The part of a sandbox that an example needs. */
export interface ExampleTarget {
  readonly main: Workspace
  handle(call: Call): Promise<Reply>
}

/** The address of the sandbox in the examples: that of `sandbox-server start`. */
export const exampleOrigin = 'http://127.0.0.1:3300'

/** Sends an endpoint's example to a fresh sandbox; when the example is not shown, it sends the path alone. */
export async function sampleOf(endpoint: Endpoint, sandbox: ExampleTarget): Promise<Sample> {
  const { clientId, clientSecret, apiKeys } = sandbox.main.credentials.clients[0]!
  const askToken = tokenCall({ clientId, clientSecret, apiKey: apiKeys[0]!.key })
  const signIn = async (): Promise<Record<string, string>> => {
    const { access_token } = parsed(await sandbox.handle(askToken)) as { access_token: string }
    return { authorization: `Bearer ${access_token}` }
  }
  const ask: Ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = path.startsWith('/_sandbox/') ? {} : await signIn()
    const reply = await sandbox.handle({ method, path, headers, ...(body && { body }) })
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${String(reply.body)}`)
    const answer = parsed(reply) as object
    return ('data' in answer ? answer.data : answer) as T
  }
  const given = typeof endpoint.example === 'function' ? await endpoint.example(ask) : endpoint.example
  const household = await householdParams(sandbox)
  const wanted = (endpoint.query?.required ?? []).flatMap((name) => {
    const value = household[name]
    return value === undefined ? [] : [[name, value]]
  })
  const example: Example = {
    ...given,
    params: { ...household, ...given?.params },
    query: { ...(Object.fromEntries(wanted) as Record<string, string>), ...given?.query },
  }
  const call: Call = {
    method: endpoint.method,
    path: fillPath(endpoint.path, example.params, example.query),
    headers: endpoint.auth === 'token' ? await signIn() : endpoint.auth === 'client' ? askToken.headers : {},
    origin: exampleOrigin,
    ...(example.body && { body: endpoint.form ? formOf(example.body) : example.body }),
  }
  return { call, reply: await sandbox.handle(call), example }
}

const parsed = ({ body }: Reply): unknown => JSON.parse(Buffer.from(body).toString())

const formOf = (fields: object): string => new URLSearchParams(Object.entries(fields)).toString()

/** The records in a path, unless its example names others: the first of each kind. */
async function householdParams({ main }: ExampleTarget): Promise<Record<string, string>> {
  const bank = await main.open()
  const { accountId, profileId } = bank.accounts[0]!
  const cardkey = bank.cards.records.find(({ programmable }) => programmable)!.cardKey
  return { accountId, profileId, cardkey }
}
