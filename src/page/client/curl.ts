// Commands to paste into a terminal: the page's own calls, and the calls of a client.

import { shellQuoted } from '../../protocol/quote.js'
import type { Answer } from './api.js'
import { origin } from './api.js'
import { workspace } from './route.js'

/** A call of the control API. */
export function controlCurl(method: string, path: string, body?: object): string {
  const query = workspace.value === 'default' ? '' : `?workspace=${encodeURIComponent(workspace.value)}`
  const parts = [
    `curl -s ${method === 'GET' ? '' : `-X ${method} `}${shellQuoted(`${origin}/_sandbox/${path}${query}`)}`,
  ]
  if (body) parts.push("-H 'content-type: application/json'", `-d ${shellQuoted(JSON.stringify(body))}`)
  return parts.join(' \\\n  ')
}

export type CallRecord = Answer<'GET', '/_sandbox/requests'>['requests'][number]
type Workspace = Answer<'GET', '/_sandbox/workspaces'>['workspaces'][number]

const tokenPath = '/identity/v2/oauth2/token'

const signIn = ({ clientId, clientSecret, apiKey }: Workspace): string =>
  [
    `curl -s -X POST ${shellQuoted(origin + tokenPath)}`,
    `-u ${shellQuoted(`${clientId}:${clientSecret}`)}`,
    `-H ${shellQuoted(`x-api-key: ${apiKey}`)}`,
    `-d ${shellQuoted('grant_type=client_credentials&scope=accounts')}`,
  ].join(' ')

/** A call of the journal, with a fresh token instead of the one that the journal hides. */
export function requestCurl(call: CallRecord, credentials: Workspace): string {
  if (call.path === tokenPath) return signIn(credentials)
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(call.query as Record<string, string | string[]>))
    for (const value of [values].flat()) search.append(name, value)
  const address = origin + call.path + (search.size > 0 ? `?${search}` : '')
  const token = `$(${signIn(credentials)} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`
  const lines = [`curl -s -X ${call.method} ${shellQuoted(address)}`, `-H "Authorization: Bearer ${token}"`]
  const type = Object.entries(call.request.headers).find(([name]) => name.toLowerCase() === 'content-type')
  if (type) lines.push(`-H ${shellQuoted(`content-type: ${type[1]}`)}`)
  if (call.request.body !== '') lines.push(`--data-raw ${shellQuoted(call.request.body)}`)
  return lines.join(' \\\n  ')
}

/** The variables of a workspace as a `.env` file. */
export const envOf = ({ clientId, clientSecret, apiKey }: Workspace): string =>
  [
    `SANDBOX_URL=${origin}`,
    `SANDBOX_CLIENT_ID=${clientId}`,
    `SANDBOX_CLIENT_SECRET=${clientSecret}`,
    `SANDBOX_API_KEY=${apiKey}`,
    '',
  ].join('\n')
