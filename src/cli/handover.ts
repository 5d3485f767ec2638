// What a program needs to use a sandbox, as environment variables: for `exec` and `env`.

import { shellQuoted } from '../protocol/quote.js'
import type { Workspace } from '../workspace/workspace.js'

/** The fields, by the name that `--env NAME=FIELD` uses. */
export interface Handover {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly apiKey: string
}

const handoverFields = ['url', 'clientId', 'clientSecret', 'apiKey'] as const

/** The variables that are always set. */
const names: Readonly<Record<keyof Handover, string>> = {
  url: 'SANDBOX_URL',
  clientId: 'SANDBOX_CLIENT_ID',
  clientSecret: 'SANDBOX_CLIENT_SECRET',
  apiKey: 'SANDBOX_API_KEY',
}

/** What a program needs to use a workspace that is served at `url`. */
export function handoverOf(workspace: Workspace, url: string): Handover {
  const { clientId, clientSecret, apiKeys } = workspace.credentials.clients[0]!
  return { url, clientId, clientSecret, apiKey: apiKeys[0]!.key }
}

/** The variables: those that are always set, and one for each entry of `more`. */
export function variablesOf(
  handover: Handover,
  more: Readonly<Record<string, keyof Handover>> = {},
): Record<string, string> {
  return {
    ...Object.fromEntries(handoverFields.map((field) => [names[field], handover[field]])),
    ...Object.fromEntries(Object.entries(more).map(([name, field]) => [name, handover[field]])),
  }
}

/** The formats of `env`. */
export type Format = 'dotenv' | 'sh' | 'json' | 'powershell'

/** Variables as text: a `.env` file, assignments for a shell, or one JSON object. */
export const formats: Readonly<Record<Format, (of: Record<string, string>) => string>> = {
  dotenv: (variables) => lines(variables, (name, value) => `${name}=${shellQuoted(value)}`),
  sh: (variables) => lines(variables, (name, value) => `export ${name}=${shellQuoted(value)}`),
  json: (variables) => JSON.stringify(variables, null, 2),
  // Typographic quotes end a text in PowerShell, too.
  powershell: (variables) =>
    lines(variables, (name, value) => `$env:${name} = '${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`),
}

const lines = (variables: Record<string, string>, line: (name: string, value: string) => string): string =>
  Object.entries(variables)
    .map(([name, value]) => line(name, value))
    .join('\n')
