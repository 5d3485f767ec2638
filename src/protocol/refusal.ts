// Writes a refusal as a reply. Every way into the sandbox writes refusals here, and so do injected faults.

import type { Behaviour } from './behaviour.js'
import type { Reply } from './call.js'
import { pointerNames } from './json-pointer.js'
import { withoutQuery } from './path.js'
import { OAuthProblem, Problem, problems, type InputError, type ProblemCode } from './problem.js'
import { shownAddress } from './redaction.js'
import { listOf, record, type Schema } from './schema.js'

/** RFC 9457: the form of every refusal except those of the token endpoint. */
export const ProblemDetails: Schema = {
  title: 'ProblemDetails',
  description: 'Why a call was refused (RFC 9457).',
  type: 'object',
  properties: {
    type: { type: 'string', description: 'urn:sandbox-server:problem: and the code.' },
    title: { type: 'string', description: 'The kind of refusal in words.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What was wrong, and what would be right.' },
    instance: { type: 'string', description: 'The path of the call.' },
    errors: {
      ...listOf(
        record('InputError', 'One error of a request.', {
          path: { type: 'string', description: 'JSON pointer into the part that was sent.' },
          message: { type: 'string', description: 'What was wrong, and what would be right.' },
        }),
      ),
      description: 'Everything that was wrong with the request.',
    },
  },
  required: ['type', 'title', 'status', 'detail', 'instance'],
}

/** RFC 6749 section 5.2: the form of refusals of the token endpoint. */
const OAuthErrorDetails = record('OAuthError', 'Why a token was refused (RFC 6749 section 5.2).', {
  error: { enum: ['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope'] },
  error_description: { type: 'string' },
})

const InvalidAccount = {
  type: 'string',
  description: 'A JSON string that says that the account is invalid.',
} as const

const ValidationErrors = {
  title: 'ValidationErrors',
  description: 'Messages by field name.',
  type: 'object',
  additionalProperties: listOf({ type: 'string' }),
} as const

const ServerError = record('ServerError', 'An internal error without a detail.', {
  type: { const: 'https://tools.ietf.org/html/rfc9110#section-15.6.1' },
  title: { const: 'An error occurred while processing your request.' },
  status: { const: 500 },
})

/** A refusal as data: a {@link Problem}, or one with its own status, as a fault injects it. */
export interface Refusal {
  readonly code: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly errors?: readonly InputError[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly members?: Readonly<Record<string, unknown>> | undefined
  /** Set for refusals of the token endpoint: the `error` of RFC 6749. */
  readonly oauthError?: string
}

/** How refusals of one kind are written. Without `json` the reply has no body. */
export interface RefusalForm {
  /** The status, when it differs from the catalogue. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly json?: {
    readonly schema: Schema
    readonly of: (refusal: Refusal, instance: string) => unknown
  }
}

const json = { 'content-type': 'application/json; charset=utf-8' }
const problemJson = { 'content-type': 'application/problem+json; charset=utf-8' }

const problemForm: RefusalForm = {
  headers: problemJson,
  json: {
    schema: ProblemDetails,
    of: ({ code, title, status, detail, errors, members }, instance) => ({
      type: `urn:sandbox-server:problem:${code}`,
      title,
      status,
      detail,
      instance,
      ...(errors && { errors }),
      ...members,
    }),
  },
}

const tokenForms: Readonly<Record<Behaviour, RefusalForm>> = {
  documented: {
    headers: { ...json, 'cache-control': 'no-store', pragma: 'no-cache' },
    json: {
      schema: OAuthErrorDetails,
      // RFC 6749 allows ASCII without quotes and backslashes.
      of: ({ oauthError, detail }) => ({
        error: oauthError,
        error_description: detail.replace(/[^\x20-\x7e]|["\\]/g, '?'),
      }),
    },
  },
  observed: {
    headers: { 'content-length': '0', 'cache-control': 'no-cache, no-store', pragma: 'no-cache' },
  },
}

/** The forms of `behaviour: observed`, by code. Codes that are not here are written as documented. */
const observedForms: Readonly<Partial<Record<string, RefusalForm>>> = {
  'unknown-account': {
    headers: json,
    json: { schema: InvalidAccount, of: () => "The specified account is invalid. (Parameter 'accountId')" },
  },
  'invalid-request': { headers: json, json: { schema: ValidationErrors, of: validationErrors } },
  'broken-json': { headers: json, json: { schema: ValidationErrors, of: ({ detail }) => ({ $: [detail] }) } },
  'missing-permission': { ...problemForm, status: 403 },
  'internal-error': {
    headers: problemJson,
    json: {
      schema: ServerError,
      of: () => ({
        type: ServerError.properties.type.const,
        title: ServerError.properties.title.const,
        status: 500,
      }),
    },
  },
}

const tokenCodes: readonly string[] = ['client-refused', 'token-request-refused'] satisfies ProblemCode[]

/** The form of a refusal with this code. */
export function refusalForm(code: string, behaviour: Behaviour): RefusalForm {
  if (tokenCodes.includes(code)) return tokenForms[behaviour]
  return (behaviour === 'observed' ? observedForms[code] : undefined) ?? problemForm
}

/** The HTTP status of a refusal of the catalogue. */
export const refusalStatus = (code: ProblemCode, behaviour: Behaviour): number =>
  refusalForm(code, behaviour).status ?? problems[code].status

/** Writes the refusal of a call to `path`, with or without its query. */
export function refusalReply(refusal: Refusal, path: string, behaviour: Behaviour = 'documented'): Reply {
  const { code, detail } = refusal
  const form = refusalForm(refusal.status === 500 ? 'internal-error' : code, behaviour)
  const status = form.status ?? refusal.status
  const body = form.json?.of({ ...refusal, status }, shownAddress(withoutQuery(path)))
  return {
    status,
    headers: { ...form.headers, ...refusal.headers, 'sandbox-problem': code },
    body: form.json ? JSON.stringify(body) : '',
    problem: { code, detail },
  }
}

/** The refusal for an error. Anything other than a {@link Problem} is an internal error of the sandbox. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Problem) {
    const { code, detail, more } = error
    const oauth = error instanceof OAuthProblem && { oauthError: error.error }
    const { status, title } = problems[code]
    return { code, detail, status, title, ...more, ...oauth }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'internal-error', detail: `The sandbox failed: ${message}`, ...problems['internal-error'] }
}

/** The errors of a request by field, worded as the live service does: `transferList[0].amount`. */
function validationErrors({ errors = [], detail }: Refusal): Record<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { path, message } of errors) {
    const name = fieldName(path)
    const text = message === 'is missing' ? `The ${name} field is required.` : `The ${name} field ${message}.`
    const before = found.get(name)
    if (before) before.push(text)
    else found.set(name, [text])
  }
  return found.size === 0 ? { $: [detail] } : Object.fromEntries(found)
}

const fieldName = (path: string): string => {
  const names = pointerNames(path).map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))
  return names.join('').replace(/^\./, '') || '$'
}
