// Every kind of refusal, as data, and the one error that carries one. The statuses are those that the service
// documents; 404 and 405 are for a path or method that no endpoint has.

/** One kind of refusal. */
interface ProblemKind {
  readonly status: number
  readonly title: string
  /** Where the client finds the right value; written after the detail. */
  readonly hint?: string
  readonly headers?: Readonly<Record<string, string>>
}

const invalidToken = { 'www-authenticate': 'Bearer error="invalid_token"' }

/** The catalogue: code → status, title, and what every answer of this kind adds. */
export const problems = {
  'no-such-endpoint': { status: 404, title: 'No endpoint has this path' },
  'method-not-allowed': { status: 405, title: 'The path does not take this method' },
  'host-refused': { status: 401, title: 'The Host header names a foreign host' },
  'origin-refused': { status: 401, title: 'Web pages of this origin may not call the sandbox' },
  'client-refused': {
    status: 401,
    title: 'The client, its secret or its API key is refused',
    headers: { 'www-authenticate': 'Basic realm="sandbox"' },
  },
  'token-request-refused': { status: 400, title: 'The token request is not valid' },
  'missing-token': { status: 401, title: 'No access token', headers: { 'www-authenticate': 'Bearer' } },
  'unknown-token': { status: 401, title: 'The access token is not known', headers: invalidToken },
  'expired-token': { status: 401, title: 'The access token has expired', headers: invalidToken },
  'missing-permission': {
    status: 401,
    title: 'The API key lacks the permission',
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
  },
  'account-refused': { status: 401, title: 'The API key may not access the account' },
  'invalid-request': { status: 400, title: 'The request is not valid' },
  'broken-json': { status: 400, title: 'The body is not JSON' },
  'wrong-content-type': { status: 400, title: 'The content type does not fit' },
  'body-too-large': { status: 400, title: 'The body is too large' },
  'broken-request': { status: 400, title: 'The request could not be read' },
  'unknown-account': { status: 400, title: 'Unknown account', hint: 'GET /za/pb/v1/accounts lists them.' },
  'unknown-profile': { status: 400, title: 'Unknown profile', hint: 'GET /za/pb/v1/profiles lists them.' },
  'unknown-card': { status: 400, title: 'Unknown card', hint: 'GET /za/v1/cards lists them.' },
  'unknown-code': { status: 400, title: 'Unknown code', hint: 'POST /za/v1/cards/{cardkey}/code saves one.' },
  'not-programmable': { status: 400, title: 'The card is not programmable' },
  'nothing-published': { status: 400, title: 'No code is published on the card' },
  'too-many-executions': { status: 429, title: 'Too many executions of card code are under way' },
  'nested-too-deep': { status: 400, title: 'Card code calls itself too deeply' },
  'declined-transaction': { status: 400, title: 'The transaction was declined' },
  'unknown-transaction': {
    status: 400,
    title: 'Unknown transaction',
    hint: 'POST /_sandbox/cards/{cardkey}/transactions makes one, and GET /_sandbox/accounts/{accountId}/pending lists those that are pending.',
  },
  'not-pending': { status: 400, title: 'The transaction is not pending' },
  'already-reversed': { status: 400, title: 'The transaction has been reversed' },
  'control-refused': { status: 401, title: 'The control API is not open to this caller' },
  'unknown-workspace': { status: 404, title: 'Unknown workspace' },
  'workspace-exists': { status: 409, title: 'A workspace has this name' },
  'too-many-workspaces': { status: 400, title: 'There are too many workspaces' },
  'too-many-streams': { status: 400, title: 'There are too many streams of events' },
  'unknown-document': { status: 400, title: 'Unknown document' },
  'unknown-payment': { status: 400, title: 'Unknown payment', hint: 'GET /_sandbox/payments lists them.' },
  'not-waiting': { status: 400, title: 'The payment does not wait for authorisation' },
  'payment-refused': { status: 400, title: 'The payment cannot be made now' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'unknown-fault': { status: 404, title: 'Unknown fault' },
  'unknown-checkpoint': { status: 404, title: 'Unknown checkpoint' },
  'unknown-stub': { status: 404, title: 'Unknown stub' },
  'unknown-beneficiary': {
    status: 400,
    title: 'Unknown beneficiary',
    hint: 'GET /za/pb/v1/accounts/beneficiaries lists them.',
  },
  'unknown-api-key': { status: 400, title: 'Unknown API key' },
  'unknown-client': { status: 400, title: 'Unknown client' },
  'verification-failed': { status: 409, title: 'The calls were not as expected' },
  'store-unavailable': { status: 500, title: 'The store does not answer' },
  'quota-exceeded': { status: 429, title: 'A quota of the workspace is used up' },
  'internal-error': { status: 500, title: 'The sandbox itself failed' },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problems

/** One error of a request: a JSON pointer into the part that was sent, and what is wrong there. */
export interface InputError {
  /** Where, as a JSON pointer into the part that was sent. */
  readonly path: string
  /** What was wrong, and what would be right. */
  readonly message: string
}

/** Optional parts of a refusal. */
export interface ProblemExtras {
  /** Each single fault of bad input. */
  readonly errors?: readonly InputError[]
  /** Headers that the answer carries. */
  readonly headers?: Readonly<Record<string, string>>
  /** More members of the body, RFC 9457 section 3.2. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** Thrown when a call is refused; refusal.ts writes the reply. */
export class Problem extends Error {
  override readonly name: string = 'Problem'
  /** What was wrong and what would be right. */
  readonly detail: string
  /** The single faults, headers and members of the answer. */
  readonly more: ProblemExtras

  /**
   * @param code the kind of refusal, from the catalogue
   * @param detail one sentence: what was wrong and what would be right, without secrets
   * @param more all errors of bad input, headers of the answer, members of its body
   */
  constructor(
    /** Which refusal of the catalogue it is. */
    readonly code: ProblemCode,
    detail: string,
    more: ProblemExtras = {},
  ) {
    const { hint, headers }: ProblemKind = problems[code]
    const text = hint === undefined ? detail : `${detail} ${hint}`
    super(text)
    this.detail = text
    this.more = { ...more, ...((headers ?? more.headers) && { headers: { ...headers, ...more.headers } }) }
  }
}

export type OAuthError = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'

/** A refusal of the token endpoint, RFC 6749 section 5.2. */
export class OAuthProblem extends Problem {
  override readonly name = 'OAuthProblem'

  constructor(
    /** The error of RFC 6749. */
    readonly error: OAuthError,
    description: string,
  ) {
    super(error === 'invalid_client' ? 'client-refused' : 'token-request-refused', description)
  }
}

/** The refusal of bad input, with every error. */
export const invalid = (errors: readonly InputError[]): Problem => {
  const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ')
  return new Problem('invalid-request', `${detail}.`, { errors })
}
