// The Authorization header, parsed once: a bearer token, or the client id and secret of a Basic header; and the call
// that asks for a token.

/** A client id and its secret. */
export type ClientPair = readonly [clientId: string, secret: string]

/** What an Authorization header holds. */
export interface Authorization {
  /** The token of the Bearer scheme. */
  readonly token: string | undefined
  /**
   * The possible readings of a Basic header: RFC 6749 section 2.3.1 form-encodes both parts, but many clients do not,
   * so there are two. Empty when the header is not a readable Basic header.
   */
  readonly basic: readonly ClientPair[]
}

const noPairs: readonly ClientPair[] = []
const none: Authorization = { token: undefined, basic: noPairs }

/** A client sends the same token again and again. */
let last = { header: '', bearer: none }

/** Parses the value of an Authorization header. */
export function parseAuthorization(header: string | undefined): Authorization {
  if (header === undefined) return none
  if (header === last.header) return last.bearer
  const token = /^bearer (\S+)$/i.exec(header)?.[1]
  if (token !== undefined) {
    last = { header, bearer: { token, basic: noPairs } }
    return last.bearer
  }
  const [scheme = '', value, ...more] = header.trim().split(/\s+/)
  if (value === undefined || more.length > 0) return none
  if (/^bearer$/i.test(scheme)) return { token: value, basic: [] }
  return /^basic$/i.test(scheme) ? { token: undefined, basic: basicPairs(value) } : none
}

function basicPairs(encoded: string): ClientPair[] {
  const pair = /^[A-Za-z0-9+/_=-]+$/.test(encoded) ? Buffer.from(encoded, 'base64').toString('utf8') : ''
  const colon = pair.indexOf(':')
  if (colon < 0) return []
  const parts = [pair.slice(0, colon), pair.slice(colon + 1)] as const
  // The service ignores spaces around the id and the secret.
  return [
    [parts[0].trim(), parts[1].trim()],
    [formDecode(parts[0]), formDecode(parts[1])],
  ]
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')).trim()
  } catch {
    return text.trim()
  }
}

/** The credentials of a client. */
export interface ClientCredentials {
  /** The client id. */
  readonly clientId: string
  /** The client secret. */
  readonly clientSecret: string
  /** The API key, for the `x-api-key` header of the token request. */
  readonly apiKey: string
}

/** The call that asks the token endpoint for a token. */
export const tokenCall = ({ clientId, clientSecret, apiKey }: ClientCredentials) => ({
  method: 'POST' as const,
  path: '/identity/v2/oauth2/token',
  headers: {
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    'x-api-key': apiKey,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: 'grant_type=client_credentials',
})
