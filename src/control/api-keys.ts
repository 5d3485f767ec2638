// The developer area of the online profile: API keys, and the client's secret.

import { quoted } from '../protocol/quote.js'
import { apiKeyMembers, type ApiKeyRecord, type ClientRecord, type Credentials } from '../bank/credentials.js'
import type { Bank } from '../bank/bank.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { invalid, Problem } from '../protocol/problem.js'
import { listOf, record } from '../protocol/schema.js'

/** An API key as the control API shows it. */
const ApiKeyReading = record('ApiKey', 'An API key.', {
  key: { type: 'string', description: 'The value of the x-api-key header.' },
  clientId: { type: 'string', description: 'The client that it belongs to.' },
  ...apiKeyMembers({ type: 'string' }, listOf({ type: 'string' })),
})

const members = apiKeyMembers({ type: 'string', minLength: 1, maxLength: 100 }, {
  ...listOf({ type: 'string', maxLength: 40 }),
  maxItems: 500,
} as const)

const shown = ({ clientId }: ClientRecord, { key, alias, accounts, permissions }: ApiKeyRecord) => {
  return {
    key,
    clientId,
    alias,
    accounts: accounts === 'all' ? accounts : [...accounts],
    permissions: [...permissions],
  }
}

/** The client with this id, or the first. Throws `unknown-client`. */
function clientOf(credentials: Credentials, clientId: string | undefined): ClientRecord {
  const client = clientId === undefined ? credentials.clients[0] : credentials.client(clientId)
  if (client) return client
  throw new Problem('unknown-client', `No client ${quoted(clientId!)}.`)
}

/** An API key and its client. Throws `unknown-api-key`. */
function find({ clients }: Credentials, key: string): { client: ClientRecord; apiKey: ApiKeyRecord } {
  for (const client of clients)
    for (const apiKey of client.apiKeys) if (apiKey.key === key) return { client, apiKey }
  throw new Problem('unknown-api-key', 'No client has this API key; GET /_sandbox/api-keys lists them.')
}

function checkAccounts(bank: Bank, accounts: 'all' | readonly string[]): void {
  if (accounts === 'all') return
  const known = new Set(bank.accounts.map(({ accountId }) => accountId))
  const errors = accounts.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `/accounts/${index}`, message: 'is not an account' }],
  )
  if (errors.length > 0) throw invalid(errors)
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const readingKey = {
  body: { alias: 'Reader', accounts: 'all', permissions: ['accounts', 'balances', 'transactions'] },
} as const

export const apiKeys = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/api-keys',
    summary: 'The API keys',
    auth: 'control',
    needsBank: false,
    response: record('ApiKeyList', 'API keys.', {
      apiKeys: { ...listOf(ApiKeyReading), description: 'The API keys of every client.' },
    }),
    envelope: 'bare',
    problems: [],
    handle: ({ workspace: { credentials } }) => ({
      apiKeys: credentials.clients.flatMap((client) => client.apiKeys.map((each) => shown(client, each))),
    }),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/api-keys',
    summary: 'Create an API key',
    auth: 'control',
    body: {
      title: 'ApiKeyRequest',
      type: 'object',
      properties: {
        clientId: { type: 'string', maxLength: 200, description: 'Default: the first client.' },
        ...members,
      },
      required: ['alias', 'accounts', 'permissions'],
      additionalProperties: false,
    },
    response: ApiKeyReading,
    envelope: 'bare',
    problems: ['unknown-client'],
    example: readingKey,
    handle: ({ bank, workspace: { credentials, random }, body: { clientId, ...given } }) => {
      const client = clientOf(credentials, clientId)
      checkAccounts(bank, given.accounts)
      const apiKey: ApiKeyRecord = { key: random.stream('api-keys').characters(letters, 40), ...given }
      credentials.setClient({ ...client, apiKeys: [...client.apiKeys, apiKey] })
      bank.tell('api-key', { alias: apiKey.alias, change: 'created' })
      return shown(client, apiKey)
    },
  }),
  defineEndpoint({
    method: 'PUT',
    path: '/_sandbox/api-keys/{key}',
    summary: "Change an API key's alias, accounts or permissions; this affects its tokens at once",
    auth: 'control',
    body: {
      title: 'ApiKeyChange',
      type: 'object',
      properties: members,
      minProperties: 1,
      additionalProperties: false,
    },
    response: ApiKeyReading,
    envelope: 'bare',
    problems: ['unknown-api-key'],
    example: { params: { key: 'sandbox-readonly-key' }, body: { accounts: 'all' } },
    handle: ({ bank, workspace: { credentials }, params, body: { alias, accounts, permissions } }) => {
      const { client, apiKey } = find(credentials, params.key)
      if (accounts !== undefined) checkAccounts(bank, accounts)
      const changed: ApiKeyRecord = {
        ...apiKey,
        ...(alias !== undefined && { alias }),
        ...(accounts !== undefined && { accounts }),
        ...(permissions !== undefined && { permissions }),
      }
      const apiKeys = client.apiKeys.map((each) => (each === apiKey ? changed : each))
      credentials.setClient({ ...client, apiKeys })
      bank.tell('api-key', { alias: changed.alias, change: 'changed' })
      return shown(client, changed)
    },
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/api-keys/{key}',
    summary: 'Revoke an API key; its tokens become invalid',
    auth: 'control',
    response: ApiKeyReading,
    envelope: 'bare',
    problems: ['unknown-api-key'],
    example: { params: { key: 'sandbox-readonly-key' } },
    handle: ({ bank, workspace: { credentials }, params }) => {
      const { client, apiKey } = find(credentials, params.key)
      credentials.setClient({ ...client, apiKeys: client.apiKeys.filter((each) => each !== apiKey) })
      bank.tell('api-key', { alias: apiKey.alias, change: 'revoked' })
      return shown(client, apiKey)
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/client/secret',
    summary: "Rotate the client's secret: the old one becomes invalid, issued tokens stay valid",
    auth: 'control',
    body: {
      title: 'SecretRequest',
      type: 'object',
      properties: {
        clientId: { type: 'string', maxLength: 200, description: 'Default: the first client.' },
        clientSecret: {
          type: 'string',
          pattern: '^[\\x21-\\x7e]{1,200}$',
          description: 'A secret of visible ASCII characters; by default a random one.',
        },
      },
      additionalProperties: false,
    },
    response: record('ClientSecret', "The client's new secret.", {
      clientId: { type: 'string', description: 'The client id.' },
      clientSecret: { type: 'string', description: 'The client secret.' },
    }),
    envelope: 'bare',
    problems: ['unknown-client'],
    example: async (ask) => {
      await ask('POST', '/_sandbox/workspaces', { name: 'worker-1' })
      return { query: { workspace: 'worker-1' }, body: { clientSecret: 'another-secret' } }
    },
    handle: ({ bank, workspace: { credentials, random }, body }) => {
      const client = clientOf(credentials, body.clientId)
      const clientSecret = body.clientSecret ?? random.stream('secrets').characters(letters, 40)
      credentials.setClient({ ...client, clientSecret })
      bank.tell('client', { clientId: client.clientId, change: 'secret-rotated' })
      return { clientId: client.clientId, clientSecret }
    },
  }),
]
