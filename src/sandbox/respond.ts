// Step 6: the reply is written in one place.

import type { Endpoint } from '../endpoint/endpoint.js'
import type { Behaviour } from '../protocol/behaviour.js'
import { Binary, EventStream, JsonText, type Call, type Reply } from '../protocol/call.js'
import { OAuthProblem, Problem, type ProblemCode } from '../protocol/problem.js'
import { refusalOf, refusalReply } from '../protocol/refusal.js'

/** Writes what an endpoint has answered. */
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
  const { text, totalPages } = data instanceof JsonText ? data : new JsonText(JSON.stringify(data))
  if (endpoint.envelope === 'bare') return { status: 200, headers, body: text }
  const self = endpoint.envelope === 'links' ? JSON.stringify(selfOf(call)) : 'null'
  const rest = `,"links":{"self":${self}},"meta":{"totalPages":${totalPages}}}`
  const body =
    typeof text === 'string'
      ? `{"data":${text}${rest}`
      : Buffer.concat([Buffer.from('{"data":'), text, Buffer.from(rest)])
  return { status: 200, headers, body }
}

const json = { 'content-type': 'application/json; charset=utf-8' }

const selfOf = ({ origin = 'http://localhost', path }: Call): string => origin + path

const badRequests: readonly ProblemCode[] = ['body-too-large', 'broken-request', 'invalid-request']

/** The reply that an error becomes. Whoever asks for a token reads OAuth errors, also when the body is refused early. */
export function refuse(
  error: unknown,
  { path, behaviour, isOfToken }: { path: string; behaviour?: Behaviour; isOfToken?: boolean },
): Reply {
  const isOfRequest = error instanceof Problem && badRequests.includes(error.code)
  const shown = isOfToken && isOfRequest ? new OAuthProblem('invalid_request', error.detail) : error
  return refusalReply(refusalOf(shown), path, behaviour)
}
