// The Basic header that clients sign in with.

/** The client ids that a Basic header may mean; none when it is none. */
export const clientIdsIn = (authorization: string | undefined): string[] =>
  authorization === undefined ? [] : basicCredentials(authorization).map(([clientId]) => clientId)

/** The ways to read a Basic header: RFC 6749 section 2.3.1 has both parts form-encoded, which many clients leave out. */
export function basicCredentials(authorization: string): (readonly [clientId: string, secret: string])[] {
  // Clients in the field send odd spacing around the credentials; the service takes it.
  const encoded = /^\s*basic\s+([A-Za-z0-9+/_=-]+)\s*$/i.exec(authorization)?.[1]
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 0) return []
  const parts = [pair.slice(0, colon), pair.slice(colon + 1)] as const
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
