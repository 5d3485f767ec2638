// What the command prints: where the sandbox is, how to get in, and one command that can be pasted.

import { maskPan } from '../bank/ledger/transactions.js'
import type { RequestLine } from '../http/http-options.js'
import { handoverOf, shellWord } from './handover.js'
import { printable } from './printable.js'
import { fixtures } from '../household/fixtures.js'
import type { Workspace } from '../workspace/workspace.js'

/** The banner of a sandbox that listens at `url`. */
export function banner(workspace: Workspace, url: string): string {
  const base = workspace.start.scenario?.base ?? fixtures()
  const client = workspace.credentials.clients[0]!
  const { clientId, clientSecret, apiKeys } = client
  const apiKey = apiKeys[0]!.key
  const { clock, random, scenario } = workspace
  const isTls = url.startsWith('https:')
  const rows: [string, string][] = [
    ['address', url],
    ...(isTls ? [['certificate', `${url}/_sandbox/ca.pem`] as [string, string]] : []),
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
  const lines = [
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
    `  curl -s${isTls ? 'k' : ''} -u ${shellWord(`${clientId}:${clientSecret}`)} -H ${shellWord(`x-api-key: ${apiKey}`)} -d 'grant_type=client_credentials&scope=accounts' ${shellWord(`${url}/identity/v2/oauth2/token`)}`,
    '',
  ]
  return lines.map(printable).join('\n')
}

/** The first line with `--json`: what a program needs to use the sandbox. */
export const readyLine = (workspace: Workspace, url: string): string =>
  JSON.stringify({ event: 'ready', ...handoverOf(workspace, url) })

/** One request as text: why it was refused, and what it did differently from the declarations. */
export function requestText({ method, path, status, ms, problem, warnings = [] }: RequestLine): string {
  const more = warnings.length - maxWarnings
  const notes = [
    ...(problem ? [`${problem.code}: ${problem.detail}`] : []),
    ...warnings.slice(0, maxWarnings).map(({ code, path, message }) => `warning ${code}: ${path} ${message}`),
    ...(more > 0 ? [`and ${more} more warnings`] : []),
  ]
  const line = `${status} ${method.padEnd(4)} ${shortened(path)}  ${ms.toFixed(1)} ms`
  return [line, ...notes.map(shortened)].join('  ')
}

/** One request as a JSON line. */
export const requestJson = ({ ms, ...line }: RequestLine): string =>
  JSON.stringify({ event: 'request', ...line, ms: Math.round(ms * 10) / 10 })

/** No more warnings than this stand on a line of text. */
const maxWarnings = 3

/** At most 300 characters of what a client chose. */
const shortened = (given: string): string => {
  const text = printable(given.slice(0, 300))
  return given.length > 300 ? `${text}…` : text
}
