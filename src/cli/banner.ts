// The output of the command: the sandbox's address, its credentials, and one command to paste.

import { maskPan } from '../bank/ledger/transactions.js'
import { shellWord } from '../protocol/quote.js'
import { handoverOf } from './handover.js'
import { printable } from './printable.js'
import { fixtures } from '../household/fixtures.js'
import { pageUrl } from '../page/open-page.js'
import type { Workspace } from '../workspace/workspace.js'

/** How people reach the web page of a server: not at all, by its address, or by a key of the terminal too. */
export type PageHint = 'none' | 'address' | 'key'

/** The banner of a sandbox that listens at `url`. */
export function banner(workspace: Workspace, url: string, page: PageHint = 'address'): string {
  const base = workspace.start.scenario?.base ?? fixtures()
  const client = workspace.credentials.clients[0]!
  const { clientId, clientSecret, apiKeys } = client
  const apiKey = apiKeys[0]!.key
  const { clock, random, scenario } = workspace
  const isTls = url.startsWith('https:')
  const rows: [string, string][] = [
    ['address', url],
    ...(page === 'none' ? [] : [['page', pageUrl(url) + keyHint(page)] as [string, string]]),
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

const keyHint = (page: PageHint): string => (page === 'key' ? '  (o opens it)' : '')

/** The first line with `--json`: what a program needs to use the sandbox. */
export const readyLine = (workspace: Workspace, url: string): string =>
  JSON.stringify({ event: 'ready', ...handoverOf(workspace, url) })

/** The last line: what was stored, and where. */
export function stoppedText(file: string | undefined, workspaces: number): string {
  if (file === undefined)
    return 'sandbox-server: stopped. Nothing is kept; --state FILE keeps the bank for the next start.'
  const what = workspaces === 1 ? 'The bank' : `The bank with ${workspaces} workspaces`
  return `sandbox-server: stopped. ${what} is kept in ${printable(file)}.`
}

/** The last line with `--json`. */
export const stoppedLine = (file: string | undefined, workspaces: number): string =>
  JSON.stringify({ event: 'stopped', state: file ?? null, workspaces })
