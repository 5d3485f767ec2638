// What a call carries, read and checked: its size, headers, query and body.

// Imported, since the test environments of browsers have none.
import { TextDecoder } from 'node:util'
import type { Endpoint } from '../endpoint/endpoint.js'
import type { Call } from '../protocol/call.js'
import { excerpt, invalid, Problem } from '../protocol/problem.js'
import type { Schema } from '../protocol/schema.js'
import { checkOf, faultsListed } from '../protocol/validation.js'

/** A larger body is refused, whichever way it comes in. */
export const maxBodyBytes = 1_048_576
/** A state holds the whole history of a bank. */
export const maxStateBytes = 256 * 1024 * 1024

/** Whether a call brings a state back. */
export const bringsState = (method: string, path: string): boolean =>
  method === 'PUT' && /^\/+_sandbox\/+state(?:\?|$)/.test(path)

/** The refusal of a body that is too large. */
export const tooLarge = (): Problem => new Problem('body-too-large', 'Send at most 1 MiB.')

/** Refuses a body that is too large, unless it brings a state back. */
export function checkSize(call: Call): void {
  if (bodyBytes(call) > maxBodyBytes && !bringsState(call.method, call.path)) throw tooLarge()
}

/** Bytes of a body that is bytes or text; an object has been read by somebody else, who had a limit of their own. */
function bodyBytes({ body }: Call): number {
  if (typeof body === 'string') return body.length > maxBodyBytes / 3 ? Buffer.byteLength(body) : body.length
  return body instanceof Uint8Array ? body.byteLength : 0
}

/** A header of the call by its lower-case name; several of one name are joined with commas. */
export type Header = (name: string) => string | undefined

/** Reads the headers of a call, in whatever case their names came. */
export function headerReader({ headers = {} }: Call): Header {
  return (name) => {
    const value = headers[name] ?? headers[spelling(headers, name) ?? name]
    return typeof value === 'string' || value === undefined ? value : value.join(', ')
  }
}

/** How a caller wrote the name of a header that is not there in lower case. */
const spelling = (headers: object, name: string): string | undefined =>
  Object.keys(headers).find((each) => each.toLowerCase() === name)

/** Query parameters by name. */
export type Query = Readonly<Record<string, string | readonly string[]>>

/** The path without its query, and the query: a parameter that comes several times is a list. */
export function splitQuery({ path, query = {} }: Call): { path: string; query: Query } {
  const mark = path.indexOf('?')
  if (mark < 0) return { path, query }
  const all: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of new URLSearchParams(path.slice(mark + 1))) {
    const before = all[name]
    all[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
  }
  return { path: path.slice(0, mark), query: Object.assign(all, query) }
}

/** Step 4: the query against its schema. Rejects with `invalid-request`. */
export async function validateQuery(schema: Schema, query: Query): Promise<Query> {
  if (schema.required === undefined && Object.keys(query).length === 0) return query
  const errors = (await checkOf(schema))(query)
  if (errors.length > 0) throw invalid(errors)
  return query
}

/** The JSON of a body. Throws `broken-json` and `wrong-content-type`. */
export function readBody({ auth, body: schema }: Endpoint, call: Call, header: Header): unknown {
  // `curl -X POST` alone is enough where every member of a control call's body may be left out.
  const optional = auth === 'control' && !schema!.required && schema!.minProperties === undefined
  return optional && isEmpty(call.body) ? {} : parseJson(call, header('content-type'))
}

/** Step 4: the body against its schema, with whatever else the bank finds wrong with it. Rejects with `invalid-request`. */
export async function validateBody(
  endpoint: Endpoint,
  context: Parameters<Endpoint['handle']>[0],
): Promise<void> {
  const errors = (await checkOf(endpoint.body!))(context.body)
  if (errors.length === 0) return
  const said = new Set(errors.map(({ path }) => path))
  const more = endpoint.bankErrors?.(context) ?? []
  throw invalid([...errors, ...more.filter(({ path }) => !said.has(path))].slice(0, faultsListed))
}

const isEmpty = (body: Call['body']): boolean =>
  body === undefined || ((typeof body === 'string' || body instanceof Uint8Array) && body.length === 0)

function parseJson({ body }: Call, contentType: string | undefined): unknown {
  const isSent = typeof body === 'string' || body instanceof Uint8Array
  if (body === undefined || (isSent && body.length === 0))
    throw new Problem('broken-json', 'The body is empty; send a JSON object.')
  const media = contentType?.split(';')[0]?.trim().toLowerCase()
  if (isSent && media !== 'application/json' && !media?.endsWith('+json'))
    throw new Problem('wrong-content-type', 'Send the body as Content-Type: application/json.')
  try {
    return JSON.parse(jsonOf(body))
  } catch (error) {
    // V8 shows the text around the fault, which may be a secret.
    const message = (error as Error).message.replace(/,? \.{0,3}".*"\.{0,3} is not valid JSON$/s, '')
    throw new Problem('broken-json', `The body cannot be read as JSON: ${excerpt(message)}.`)
  }
}

/** An object stands for its JSON as it is now: what its owner changes later must not change the bank. */
function jsonOf(body: string | Uint8Array | object): string {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? utf8.decode(body) : JSON.stringify(body)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A path as the router sees it: doubled slashes count as one. */
export const foldSlashes = (path: string): string => path.replace(/\/{2,}/g, '/')
