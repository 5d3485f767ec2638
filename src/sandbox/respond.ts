// Step 6: writes the reply.

import type { Endpoint } from '../endpoint/endpoint.js'
import type { Behaviour } from '../protocol/behaviour.js'
import { Binary, EventStream, JsonText, type Call, type Reply } from '../protocol/call.js'
import { OAuthProblem, Problem, type ProblemCode } from '../protocol/problem.js'
import { refusalOf, refusalReply } from '../protocol/refusal.js'

/** Writes the result of an endpoint. */
export function respond(endpoint: Endpoint, data: unknown, call: Call): Reply {
  const headers = endpoint.headers ? { ...jsonHeaders, ...endpoint.headers } : jsonHeaders
  if (data instanceof EventStream)
    return {
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      body: '',
      stream: data.parts,
    }
  if (data instanceof Binary)
    return {
      status: 200,
      headers: { ...endpoint.headers, 'content-type': data.contentType },
      body: data.bytes,
    }
  const json = data instanceof JsonText ? data : new JsonText(jsonOf(data))
  if (endpoint.envelope === 'bare') return { status: 200, headers, body: json.text }
  const body = endpoint.envelope === 'links' ? linked(json, call) : enveloped(json, 'null')
  return { status: 200, headers, body }
}

/** With a link to the call itself. Data that is written once is answered often, mostly at the same address. */
function linked(json: JsonText, { origin = 'http://localhost', path }: Call): string | Uint8Array {
  const { written } = json
  if (written?.path === path && written.origin === origin) return written.body
  const body = enveloped(json, JSON.stringify(origin + path))
  if (typeof body === 'string') json.written = { origin, path, body }
  return body
}

function enveloped({ text, totalPages }: JsonText, self: string): string | Uint8Array {
  const rest = `,"links":{"self":${self}},"meta":{"totalPages":${totalPages}}}`
  if (typeof text === 'string') return `{"data":${text}${rest}`
  return Buffer.concat([Buffer.from('{"data":'), text, Buffer.from(rest)])
}

/**
 * The JSON of an answer. When it is longer than a text can be, only the later half of each list is kept, repeatedly.
 */
function jsonOf(data: unknown): string {
  try {
    return JSON.stringify(data)
  } catch (error) {
    const fewer = error instanceof RangeError ? halved(data) : data
    if (fewer === data) throw error
    return jsonOf(fewer)
  }
}

/** The data with the later half of its lists; the same data when there is nothing to leave out. */
export function halved(data: unknown): unknown {
  if (Array.isArray(data)) return data.length > 1 ? data.slice(Math.ceil(data.length / 2)) : data
  if (typeof data !== 'object' || data === null) return data
  const members = Object.entries(data).map(([name, each]) => [name, halved(each)] as const)
  return members.some(([name, each]) => each !== (data as Record<string, unknown>)[name])
    ? Object.fromEntries(members)
    : data
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }

const badRequests: readonly ProblemCode[] = ['body-too-large', 'broken-request', 'invalid-request']

/** The reply for an error. Clients of the token endpoint get OAuth errors, even when the body is refused early. */
export function refuse(
  error: unknown,
  { path, behaviour, isOfToken }: { path: string; behaviour?: Behaviour; isOfToken?: boolean },
): Reply {
  const isOfRequest = error instanceof Problem && badRequests.includes(error.code)
  const shown = isOfToken && isOfRequest ? new OAuthProblem('invalid_request', error.detail) : error
  return refusalReply(refusalOf(shown), path, behaviour)
}
