// What the command prints: where the sandbox is, how to get in, and one command that can be pasted.

import { maskPan } from '../bank/ledger/transactions.js'
import type { RequestLine } from '../http/http-options.js'
import { handoverOf } from './handover.js'
import { fixtures } from '../household/fixtures.js'
import type { Workspace } from '../workspace/workspace.js'

/** The banner of a sandbox that listens at `url`. */
export function banner(workspace: Workspace, url: string): string {
  const base = workspace.start.scenario?.base ?? fixtures()
  const client = workspace.credentials.clients[0]!
  const { clientId, clientSecret, apiKeys } = client
  const apiKey = apiKeys[0]!.key
  const { clock, random, scenario } = workspace
  const rows: [string, string][] = [
    ['address', url],
    ['client id', clientId],
    ['client secret', clientSecret],
    ...apiKeys.map(({ key, alias }): [string, string] => ['x-api-key', `${key}  (${alias})`]),
    ['seed', String(random.seed)],
    ['scenario', scenario],
    ['clock', `${new Date(clock.now()).toISOString()}${clock.frozen ? '  (stands still)' : ''}`],
  ]
  const accounts = base.accounts.map(
    ({ accountId, accountNumber, productName, referenceName }) =>
      `  ${accountId}  ${accountNumber.padEnd(13)}  ${productName}, ${referenceName}`,
  )
  const cards = base.cards.map(
    ({ cardKey, pan, embossedName, programmable }) =>
      `  ${cardKey.padEnd(8)} ${maskPan(pan, 'X')}  ${embossedName}${programmable ? ', programmable' : ''}`,
  )
  return [
    'sandbox-server: the bank is open',
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`),
    '',
    'accounts',
    ...accounts,
    'cards',
    ...cards,
    '',
    'try it',
    `  curl -s -u ${clientId}:${clientSecret} -H 'x-api-key: ${apiKey}' -d 'grant_type=client_credentials&scope=accounts' ${url}/identity/v2/oauth2/token`,
    '',
  ].join('\n')
}

/** The first line with `--json`: what a program needs to use the sandbox. */
export const readyLine = (workspace: Workspace, url: string): string =>
  JSON.stringify({ event: 'ready', ...handoverOf(workspace, url) })

/** One request as text. */
export const requestText = ({ method, path, status, ms }: RequestLine): string =>
  `${status} ${method.padEnd(4)} ${printable(path)}  ${ms.toFixed(1)} ms`

/** One request as a JSON line. */
export const requestJson = ({ method, path, status, ms }: RequestLine): string =>
  JSON.stringify({ event: 'request', method, path, status, ms: Math.round(ms * 10) / 10 })

/** A path comes from the client; control characters must not reach the terminal. */
const printable = (path: string): string => {
  const text = path.replace(/[^\x20-\x7e]/g, '?')
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
