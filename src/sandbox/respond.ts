// Step 6: writes the reply.

import type { Endpoint } from '../endpoint/endpoint.js'
import type { Behaviour } from '../protocol/behaviour.js'
import { Binary, EventStream, JsonText, type Call, type Reply } from '../protocol/call.js'
import { OAuthProblem, Problem, type ProblemCode } from '../protocol/problem.js'
import { refusalOf, refusalReply } from '../protocol/refusal.js'

/** Writes the result of an endpoint. */
export function respond(endpoint: Endpoint, data: unknown, call: Call): Reply {
  const headers = endpoint.headers ? { ...json, ...endpoint.headers } : json
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
  const { text, totalPages } = data instanceof JsonText ? data : new JsonText(jsonOf(data))
  if (endpoint.envelope === 'bare') return { status: 200, headers, body: text }
  const self = endpoint.envelope === 'links' ? JSON.stringify(selfOf(call)) : 'null'
  const rest = `,"links":{"self":${self}},"meta":{"totalPages":${totalPages}}}`
  const body =
    typeof text === 'string'
      ? `{"data":${text}${rest}`
      : Buffer.concat([Buffer.from('{"data":'), text, Buffer.from(rest)])
  return { status: 200, headers, body }
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

const json = { 'content-type': 'application/json; charset=utf-8' }

const selfOf = ({ origin = 'http://localhost', path }: Call): string => origin + path

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
