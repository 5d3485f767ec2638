// One sandbox that plays the real service, from which tests pull.

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from '@jest/globals'
import { listen, type Listening } from '../src/http/server.js'
import type { PullOptions } from '../src/real-data/pull-scenario.js'
import { Sandbox } from '../src/sandbox/sandbox.js'

export const nowMs = Date.parse('2026-03-25T08:00:00Z')

export let real: Sandbox
export let listening: Listening
export let folder: string

export const credentials = {
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret',
  apiKey: 'sandbox-key',
}

/** Asks a sandbox with its first client and key. */
export async function asker(sandbox: Sandbox) {
  const { clientId, clientSecret, apiKeys } = sandbox.main.credentials.clients[0]!
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const signedIn = await sandbox.handle({
    method: 'POST',
    path: '/identity/v2/oauth2/token',
    headers: {
      authorization: `Basic ${basic}`,
      'x-api-key': apiKeys[0]!.key,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const { access_token: token } = JSON.parse(String(signedIn.body)) as { access_token: string }
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what answers hold is what the test is about
  return async (method: string, path: string, body?: object): Promise<{ status: number; body: any }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const reply = await sandbox.handle({ method, path, headers, ...(body && { body }) })
    return { status: reply.status, body: JSON.parse(Buffer.from(reply.body).toString()) }
  }
}

/** Forwards requests to a listening sandbox, and lets `meddle` answer instead. */
export async function between(
  meddle: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    void (async () => {
      if (await meddle(request, response)) return
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const answer = await fetch(`${listening.url}${request.url!}`, {
        method: request.method!,
        headers: Object.fromEntries(
          Object.entries(request.headers).filter(
            ([name]) => !['host', 'connection', 'content-length'].includes(name),
          ),
        ) as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      const headers = Object.fromEntries(
        [...answer.headers].filter(([name]) => !/encoding|length|connection/.test(name)),
      )
      response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export const options = (more: Partial<PullOptions> & { out: string }): PullOptions => ({
  url: listening.url,
  credentials,
  rate: 1000,
  ...more,
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pull-'))
  real = new Sandbox({ nowMs, seed: 9 })
  listening = await listen(real, { host: '127.0.0.1', port: 0 })
  const { clientId, clientSecret, apiKeys } = real.main.credentials.clients[0]!
  Object.assign(credentials, { clientId, clientSecret, apiKey: apiKeys[0]!.key })
  const ask = await asker(real)
  const { accounts } = (await ask('GET', '/za/pb/v1/accounts')).body.data
  const moved = await ask('POST', `/za/pb/v1/accounts/${accounts[0].accountId}/transfermultiple`, {
    transferList: [
      {
        beneficiaryAccountId: accounts[1].accountId,
        amount: '10.12',
        myReference: 'Rent Sipho',
        theirReference: 'Rent',
      },
    ],
  })
  expect(moved.status).toBe(200)
  const { cards } = (await ask('GET', '/za/v1/cards')).body.data
  const card = cards.find(({ IsProgrammable }: { IsProgrammable: boolean }) => IsProgrammable)
  const code = `// written for ${accounts[0].accountName}
const key = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'
const beforeTransaction = async (a) => { console.log('of', '${accounts[0].accountNumber}', a.merchant.name); return true }
const afterTransaction = async () => console.log('mail me@home.example')`
  const saved = await ask('POST', `/za/v1/cards/${card.CardKey}/code`, { code })
  await ask('POST', `/za/v1/cards/${card.CardKey}/publish`, {
    codeid: saved.body.data.result.codeId,
    code: '',
  })
  await ask('POST', `/za/v1/cards/${card.CardKey}/environmentvariables`, {
    variables: { LIMIT: '5', API_TOKEN: 'x1' },
  })
  await ask('POST', `/za/v1/cards/${card.CardKey}/code/execute`, { simulationcode: code, centsAmount: '100' })
}, 60_000)

afterAll(async () => {
  await listening.close()
  await real.close()
  rmSync(folder, { recursive: true })
})
