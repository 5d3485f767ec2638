// How an answer differs from the sandbox's declaration of its endpoint. Where the document and the live service are
// known to disagree, both are accepted (docs/fidelity.md).

import { rowTypes } from '../bank/records.js'
import type { Endpoint } from '../endpoint/endpoint.js'
import { isJsonObject } from '../protocol/json.js'
import type { Schema } from '../protocol/schema.js'

/** The kinds of differences. */
export type DriftKind =
  | 'status'
  | 'header'
  | 'envelope'
  | 'missing'
  | 'unknown'
  | 'type'
  | 'format'
  | 'null'
  | 'value'
  | 'error-body'

/** One difference between the service and the sandbox's declaration. */
export interface Drift {
  /** Such as `GET /za/pb/v1/accounts`. */
  readonly endpoint: string
  /** The situation, unless it is the plain call: `unknown account`, `wrong token` and so on. */
  readonly situation: string
  /** What kind of difference it is. */
  readonly kind: DriftKind
  /** The place: the name of a header, or a path into the body in which `*` means every item of a list. */
  readonly path: string
  /** What the sandbox declares. */
  readonly expected: string
  /** What the service sends, anonymised: digits become 9, letters x. */
  readonly seen: string
}

/** An answer, from the service or from a recording. */
export interface SeenAnswer {
  /** The HTTP status. */
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON, or text where it is none. */
  readonly body: unknown
}

/** Values of fields that the schema leaves open, as seen on the service. */
const knownValues: Readonly<Record<string, readonly unknown[]>> = {
  transactionType: [...rowTypes, null],
}

/** Members that the live service sends and the document lacks, or the other way round. */
const optional: ReadonlySet<string> = new Set(['Error'])

/** Formats, as tolerant as clients must be: fractions may lack trailing zeros. */
const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?(?:Z|[+-]\d{2}:\d{2})$/,
}

/** Two differences with the same key are the same; each value outside a list has its own key. */
export const driftKey = ({
  endpoint,
  situation,
  kind,
  path,
  seen,
}: Pick<Drift, 'endpoint' | 'situation' | 'kind' | 'path' | 'seen'>): string =>
  JSON.stringify([endpoint, situation, kind, path, ...(kind === 'value' ? [seen] : [])])

/** The number of listed differences is bounded. */
const maxDrifts = 1000

/**
 * Collects the differences of one endpoint in one situation; each place and kind once.
 * @internal
 */
export class DriftCollector {
  readonly #found = new Map<string, Drift>()

  /** All differences, in the order in which they were found. */
  get drifts(): Drift[] {
    return [...this.#found.values()]
  }

  add(drift: Drift): void {
    const key = driftKey(drift)
    if (!this.#found.has(key) && this.#found.size < maxDrifts) this.#found.set(key, drift)
  }

  /** Checks the answer to a plain call against the declaration. */
  check(endpoint: Endpoint, answer: SeenAnswer): void {
    const about = { endpoint: `${endpoint.method} ${endpoint.path}`, situation: '' }
    if (answer.status !== 200) {
      this.add({ ...about, kind: 'status', path: 'status', expected: '200', seen: String(answer.status) })
      return
    }
    for (const [name, value] of Object.entries({ 'content-type': 'application/json', ...endpoint.headers })) {
      const seen = answer.headers[name] ?? ''
      if (!isHeader(name, seen, value))
        this.add({ ...about, kind: 'header', path: name, expected: value, seen })
    }
    if (endpoint.envelope === 'bare') this.#value(endpoint.response, answer.body, '', about)
    else this.#envelope(endpoint, answer.body, about)
  }

  /** Checks the answer to a wrong call against both bodies that the sandbox knows. */
  checkRefusal(endpoint: Endpoint, situation: string, answer: SeenAnswer, expected: Refusal): void {
    const about = { endpoint: `${endpoint.method} ${endpoint.path}`, situation }
    if (!expected.statuses.includes(answer.status))
      this.add({
        ...about,
        kind: 'status',
        path: 'status',
        expected: expected.statuses.join(' or '),
        seen: String(answer.status),
      })
    else if (!isProblem(answer.body) && !expected.observed(answer.body))
      this.add({
        ...about,
        kind: 'error-body',
        path: '/',
        expected: `a problem, or ${expected.words}`,
        seen: masked(answer.body),
      })
  }

  #envelope(endpoint: Endpoint, body: unknown, about: Pick<Drift, 'endpoint' | 'situation'>): void {
    const links = endpoint.envelope === 'links'
    const self: Schema = links
      ? { type: 'string', description: 'the address of the call' }
      : { type: ['string', 'null'] }
    const envelope: Schema = {
      type: 'object',
      properties: {
        data: endpoint.response,
        links: { type: 'object', properties: { self }, required: ['self'] },
        meta: { type: 'object', properties: { totalPages: { type: 'integer' } }, required: ['totalPages'] },
      },
      required: ['data', 'links', 'meta'],
    }
    if (!isJsonObject(body)) {
      this.add({ ...about, kind: 'envelope', path: '/', expected: '{data, links, meta}', seen: masked(body) })
      return
    }
    this.#value(envelope, body, '', about)
  }

  #value(schema: Schema, value: unknown, path: string, about: Pick<Drift, 'endpoint' | 'situation'>): void {
    const add = (kind: DriftKind, at: string, expected: string, seen: string): void => {
      const isEnvelope = /^\/(?:data|links(?:\/self)?|meta(?:\/totalPages)?)$/.test(at) && kind !== 'unknown'
      this.add({ ...about, kind: isEnvelope ? 'envelope' : kind, path: at === '' ? '/' : at, expected, seen })
    }
    if (schema.anyOf) {
      const branch = schema.anyOf.find((each) => typesOf(each).some((type) => isOf(type, value)))
      if (branch) this.#value(branch, value, path, about)
      else
        add(value === null ? 'null' : 'type', path, schema.anyOf.flatMap(typesOf).join(' or '), masked(value))
      return
    }
    const listed = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
    if (listed) {
      if (!listed.includes(value))
        add('value', path, `one of ${listed.map(String).join(', ')}`, shownValue(value))
      return
    }
    const types = typesOf(schema)
    if (types.length > 0 && !types.some((type) => isOf(type, value))) {
      add(value === null ? 'null' : 'type', path, types.join(' or '), masked(value))
      return
    }
    const name = path.split('/').at(-1)!
    const known = Object.hasOwn(knownValues, name) ? knownValues[name] : undefined
    if (known && !known.includes(value)) add('value', path, 'a known value', shownValue(value))
    if (typeof value === 'string') this.#text(schema, value, path, add)
    if (Array.isArray(value))
      for (const item of value) this.#value(schema.items ?? {}, item, `${path}/*`, about)
    if (isJsonObject(value) && schema.properties) this.#members(schema, value, path, about, add)
  }

  #text(
    schema: Schema,
    value: string,
    path: string,
    add: (kind: DriftKind, at: string, expected: string, seen: string) => void,
  ): void {
    const format = schema.format === undefined ? undefined : formats[schema.format]
    const right =
      format?.test(value) ??
      (schema.pattern === undefined || value.length > 1000 || new RegExp(schema.pattern, 'u').test(value))
    if (!right) add('format', path, schema.format ?? schema.pattern!, masked(value))
  }

  #members(
    schema: Schema,
    value: Readonly<Record<string, unknown>>,
    path: string,
    about: Pick<Drift, 'endpoint' | 'situation'>,
    add: (kind: DriftKind, at: string, expected: string, seen: string) => void,
  ): void {
    const { properties = {}, required = [] } = schema
    for (const name of required)
      if (!Object.hasOwn(value, name) && !optional.has(name))
        add('missing', `${path}/${name}`, 'a value', 'nothing')
    for (const [name, member] of Object.entries(value)) {
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (declared) this.#value(declared, member, `${path}/${name}`, about)
      else if (!optional.has(name)) add('unknown', `${path}/${name.slice(0, 60)}`, 'nothing', masked(member))
    }
  }
}

/** The possible forms of a refusal. */
export interface Refusal {
  /** The statuses that such a refusal may have. */
  readonly statuses: readonly number[]
  /** Whether a body is the one that the live service was seen to send. */
  readonly observed: (body: unknown) => boolean
  /** What is expected, in words. */
  readonly words: string
}

const isProblem = (body: unknown): boolean =>
  isJsonObject(body) && typeof body.title === 'string' && typeof body.status === 'number'

/** Whether a body names a field and says what is wrong with it: `{"fromDate": ["…"]}`. */
export const isDictionary = (body: unknown): boolean =>
  isJsonObject(body) &&
  Object.values(body).every((each) => Array.isArray(each) && each.every((text) => typeof text === 'string'))

const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat())

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isJsonObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

/**
 * Whether a header has the expected value: more directives are allowed, and parameters of a content type are ignored.
 */
function isHeader(name: string, seen: string, expected: string): boolean {
  if (name === 'content-type') return seen.split(';')[0]!.trim().toLowerCase() === expected.split(';')[0]
  const directives = seen.toLowerCase().split(/\s*,\s*/)
  return expected
    .toLowerCase()
    .split(/\s*,\s*/)
    .every((each) => directives.includes(each))
}

/** A value with digits replaced by 9 and letters by x, cut to 60 characters. */
function masked(value: unknown): string {
  const text =
    typeof value === 'string'
      ? JSON.stringify(value.slice(0, 60))
      : ((JSON.stringify(value) as string | undefined) ?? 'nothing')
  return text
    .slice(0, 60)
    .replace(/\p{Lu}/gu, 'X')
    .replace(/\p{Ll}/gu, 'x')
    .replace(/[0-9]/g, '9')
}

/** A value of an enumeration: it identifies nobody, so it is shown if it is one word. */
const shownValue = (value: unknown): string =>
  typeof value === 'string' && /^[A-Za-z_-]{1,40}$/.test(value) ? value : masked(value)
