// Step 6: the answer, a refusal included, is written in one place.

import { type Endpoint } from '../endpoint/endpoint.js'
import { Binary, EventStream, JsonText, type Call, type Reply } from '../protocol/call.js'
import { tokenPath } from '../service/token.js'
import { OAuthProblem, Problem } from '../protocol/problem.js'
import { foldSlashes } from './request.js'

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

/** The reply that an error becomes: a problem says what it is, anything else is a fault of ours. */
export function refuse(error: unknown, call: Pick<Call, 'path'>): Reply {
  const mark = call.path.indexOf('?')
  const instance = mark < 0 ? call.path : call.path.slice(0, mark)
  const problem =
    error instanceof Problem
      ? inTermsOf(instance, error)
      : new Problem(
          'internal-error',
          `The sandbox failed: ${error instanceof Error ? error.message : String(error)}`,
        )
  return {
    status: problem.status,
    headers: { 'content-type': problem.contentType, ...problem.more.headers },
    body: JSON.stringify(problem.body(instance)),
  }
}

/** A client that asks for a token reads RFC 6749 errors, also when its body is refused before the endpoint sees it. */
function inTermsOf(path: string, problem: Problem): Problem {
  const isOfBody = problem.code === 'body-too-large' || problem.code === 'broken-request'
  return isOfBody && foldSlashes(path) === tokenPath
    ? new OAuthProblem('invalid_request', problem.detail)
    : problem
}
