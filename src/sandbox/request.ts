// The contents of a call, parsed once and checked: its path, query, headers and body.

// Imported, because the browser-like test environments lack it.
import { excerpt } from '../protocol/quote.js'
import { TextDecoder } from 'node:util'
import type { Endpoint } from '../endpoint/endpoint.js'
import { parseAuthorization, type Authorization } from '../protocol/authorization.js'
import type { Call } from '../protocol/call.js'
import { bodyLimits, measureJson, type JsonLimits, stateLimits } from '../protocol/json-meter.js'
import { parseInPieces } from '../protocol/json-pieces.js'
import { OwnedBytes } from '../protocol/owned-bytes.js'
import { pointerTo } from '../protocol/json-pointer.js'
import { insteadOf } from '../protocol/nearest.js'
import { foldSlashes, queryOf, withoutQuery } from '../protocol/path.js'
import { invalid, Problem, type InputError } from '../protocol/problem.js'
import type { Schema } from '../protocol/schema.js'
import { errorsOf, maxErrors } from '../protocol/validation.js'

/** Larger bodies are refused, however they arrive. */
export const maxBodyBytes = 1_048_576

/** Query parameters by name. */
export type Query = Readonly<Record<string, string | readonly string[]>>

/** A header of a call by its lower-case name; repeated headers are joined with commas. */
export type Header = (name: string) => string | undefined

/** A call, parsed once. */
export interface ParsedCall {
  readonly call: Call
  /** Without its query; doubled slashes count as one. */
  readonly path: string
  readonly query: Query
  readonly header: Header
  readonly authorization: Authorization
}

/** Parses a call. Nothing that a caller of `handle` passes makes it throw; {@link checkCall} refuses invalid calls. */
export function parseCall(given: Call): ParsedCall {
  const call = isCall(given) ? given : { method: '', path: '', ...textsOf(given) }
  const { path, query = {} } = call
  const header = headerReader(call)
  return {
    call,
    path: foldSlashes(withoutQuery(path)),
    query: path.includes('?') ? Object.assign(queryOf(path), query) : query,
    header,
    authorization: parseAuthorization(header('authorization')),
  }
}

const isCall = (given: Call): boolean =>
  typeof (given as Call | null | undefined)?.path === 'string' && typeof given.method === 'string'

/** The request of an invalid call: its method and path, if they are texts. */
const textsOf = (given: unknown): object =>
  Object.fromEntries(
    Object.entries(given ?? {}).filter(
      ([name, value]) => ['method', 'path'].includes(name) && typeof value === 'string',
    ),
  )

/** Refuses invalid calls, and invalid values of `query`. */
export function checkCall({ call }: ParsedCall): void {
  if (call.method === '' || call.path === '')
    throw new Problem('broken-request', 'A call needs a method and a path, both of them texts.')
  if (call.query) checkQueryTypes(call.query)
}

/** Refuses a body that is too large. */
export function checkSize({ call }: ParsedCall): void {
  if (bodyBytes(call) > maxBodyBytes && !bringsState(call.method, call.path)) throw tooLarge(maxBodyBytes)
}

function checkQueryTypes(query: object): void {
  const errors: InputError[] = []
  const isText = (value: unknown): boolean => typeof value === 'string'
  for (const [name, value] of Object.entries(query))
    if (!isText(value) && !(Array.isArray(value) && value.every(isText)))
      errors.push({ path: pointerTo('', name), message: 'must be a text or a list of texts' })
  if (errors.length > 0) throw invalid(errors.slice(0, maxErrors))
}

/** Whether a call imports a state. */
export const bringsState = (method: string, path: string): boolean =>
  method === 'PUT' && /^\/+_sandbox\/+state(?:\?|$)/.test(path)

/** The refusal of a body that is too large. */
export const tooLarge = (maxBytes: number): Problem =>
  new Problem('body-too-large', `Send at most ${maxBytes / 1_048_576} MiB.`)

/** The length of a body of bytes or text; an object was read by another parser, with its own limit. */
function bodyBytes({ body }: Call): number {
  if (typeof body === 'string') return body.length > maxBodyBytes / 3 ? Buffer.byteLength(body) : body.length
  return body instanceof Uint8Array ? body.byteLength : 0
}

function headerReader({ headers }: Call): Header {
  const named = headers ?? {}
  return (name) => {
    const value = (Object.hasOwn(named, name) ? named[name] : named[spelling(named, name) ?? '']) as unknown
    if (typeof value === 'string') return value
    return Array.isArray(value) ? value.join(', ') : undefined
  }
}

/** The name of a header as the caller wrote it, when it is not in lower case. */
const spelling = (headers: object, name: string): string | undefined =>
  Object.keys(headers).find((each) => each.toLowerCase() === name)

/** The form of a body; undefined when it is not a form. */
export function readForm({ call: { body = '' }, header }: ParsedCall): URLSearchParams | undefined {
  if (mediaType(header) !== 'application/x-www-form-urlencoded') return undefined
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : body
  return typeof text === 'string' ? new URLSearchParams(text) : undefined
}

/** The JSON of a body. Throws `broken-json` and `wrong-content-type`. */
export function readBody({ auth, body: schema, allowsEmptyBody }: Endpoint, parsed: ParsedCall): unknown {
  // `curl -X POST` is enough when every member of a control call's body is optional.
  const isOptional = auth === 'control' && !schema!.required && schema!.minProperties === undefined
  return (isOptional || allowsEmptyBody) && isEmpty(parsed.call.body) ? {} : parseJson(parsed)
}

/** All errors of the query against its schema; of the control API also what it has no parameter for. */
export async function queryErrors(
  { query: schema, auth }: Endpoint,
  query: Query,
): Promise<readonly InputError[]> {
  const names = Object.keys(query)
  const unknown = auth === 'control' && names.length > 0 ? unknownParameters(schema, names) : []
  if (!schema || (schema.required === undefined && names.length === 0)) return unknown
  return [...unknown, ...(await errorsOf(schema, query))]
}

/** A misspelt `workspace` would change another bank, and a misspelt filter would count other calls. */
function unknownParameters(schema: Schema | undefined, names: readonly string[]): InputError[] {
  const known = [...new Set([...Object.keys(schema?.properties ?? {}), 'workspace'])]
  return names
    .filter((name) => !known.includes(name))
    .slice(0, maxErrors)
    .map((name) => ({
      path: pointerTo('', name),
      message: `is not a parameter of this endpoint${insteadOf(name, known)}`,
    }))
}

/**
 * All errors of the body against its schema, and the errors that the bank finds in a refused body.
 *
 * @param isRefused whether the call is already refused because of a deviation
 */
export async function bodyErrors(
  endpoint: Endpoint,
  context: Parameters<Endpoint['handle']>[0],
  isRefused: boolean,
): Promise<readonly InputError[]> {
  if (!endpoint.body) return []
  const errors = await errorsOf(endpoint.body, context.body)
  if (errors.length === 0 && !isRefused) return errors
  const said = new Set(errors.map(({ path }) => path))
  const more = endpoint.bankErrors?.(context) ?? []
  return [...errors, ...more.filter(({ path }) => !said.has(path))].slice(0, maxErrors)
}

const mediaType = (header: Header): string | undefined =>
  header('content-type')?.split(';', 1)[0]!.trim().toLowerCase()

const isEmpty = (body: Call['body']): boolean =>
  body === undefined || ((typeof body === 'string' || body instanceof Uint8Array) && body.length === 0)

/** A shorter text can be neither deep nor long. */
const measuredLength = 200

function measure(text: Uint8Array, limits: JsonLimits): void {
  if (text.length > measuredLength) measureJson(text, limits)
}

function parseJson({ call: { method, path, body }, header }: ParsedCall): unknown {
  if (body === undefined || isEmpty(body))
    throw new Problem('broken-json', 'The body is empty; send a JSON object.')
  const limits = bringsState(method, path) ? stateLimits : bodyLimits
  const isSent = typeof body === 'string' || body instanceof Uint8Array
  const media = mediaType(header)
  if (isSent && media !== 'application/json' && !media?.endsWith('+json'))
    throw new Problem('wrong-content-type', 'Send the body as Content-Type: application/json.')
  try {
    if (body instanceof Uint8Array) measure(body, limits)
    if (body instanceof OwnedBytes) {
      const value = parseInPieces(body)
      // The values, and the bank that is made of them, take three times the text.
      body.release()
      return value
    }
    const text = jsonOf(body)
    if (!(body instanceof Uint8Array)) measure(Buffer.from(text), limits)
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof Problem) throw error
    // V8 shows the text around the error, which may be a secret.
    const message = (error as Error).message.replace(/,? \.{0,3}".*"\.{0,3} is not valid JSON$/s, '')
    throw new Problem('broken-json', `The body cannot be read as JSON: ${excerpt(message)}.`)
  }
}

/** An object means its JSON as it is now: later changes by its owner must not change the bank. */
function jsonOf(body: string | Uint8Array | object): string {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? utf8.decode(body) : JSON.stringify(body)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
