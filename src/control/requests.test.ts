import { expect, test } from '@jest/globals'
import { standardSignIn } from '../../test/ids.js'
import { Client, everyday, sandboxAt } from '../../test/client.js'
import type { CallRecord } from '../journal/call-record.js'
import { listen } from '../http/server.js'

const balance = `/za/pb/v1/accounts/${everyday}/balance`

async function busyClient(): Promise<Client> {
  const client = await Client.of(sandboxAt())
  await client.get('/za/pb/v1/accounts')
  await client.get(balance)
  await client.get(`/za/pb/v1/accounts/${everyday}/transactions?fromDate=2026-03-01&toDate=2026-03-02`)
  await client.get('/za/pb/v1/accounts/123/balance')
  return client
}

test('the journal shows every call of the client, in order, without secrets', async () => {
  const client = await busyClient()
  const { requests } = (await client.control('GET', 'requests')).json as { requests: CallRecord[] }
  expect(requests.map(({ id, method, status }) => [id, method, status])).toEqual([
    [1, 'POST', 200],
    [2, 'GET', 200],
    [3, 'GET', 200],
    [4, 'GET', 200],
    [5, 'GET', 400],
  ])
  expect(requests[0]).toMatchObject({
    time: '2026-03-25T08:00:00.000Z',
    ms: 0,
    client: standardSignIn.clientId,
    workspace: 'default',
    path: '/identity/v2/oauth2/token',
    request: {
      headers: { authorization: 'Basic ***', 'x-api-key': '***' },
      body: 'grant_type=client_credentials&scope=accounts',
    },
  })
  expect(requests[3]).toMatchObject({ client: standardSignIn.clientId, query: { fromDate: '2026-03-01' } })
  const shown = JSON.stringify(requests)
  expect(shown).not.toContain(client.token)
  expect(shown).not.toContain('sandbox-api-key')
})

test('neither the journal nor the archive shows a secret, wherever the client put it', async () => {
  const client = await Client.of(sandboxAt())
  const variables = '/za/v1/cards/700615/environmentvariables'
  await client.post(variables, { variables: { STRIPE: 's3cr3t' } })
  await client.get(`${variables}?API-Key=s3cr3t`)
  await client.sandbox.handle({
    method: 'POST',
    path: '/identity/v2/oauth2/token?client%5Fsecret=s3cr3t',
    headers: {
      authorization: `Basic ${btoa('s3cr3t:sandbox-client')}`,
      referer: 'http://localhost/?apikey=s3cr3t',
      'x-signature': 's3cr3t',
    },
    body: 'grant_type=client_credentials&Client-Secret=s3cr3t',
  })
  const { requests } = (await client.control('GET', 'requests')).json as { requests: CallRecord[] }
  expect(requests.map(({ client: id, status }) => [id, status])).toEqual([
    [standardSignIn.clientId, 200],
    [standardSignIn.clientId, 200],
    [standardSignIn.clientId, 200],
    [null, 401],
  ])
  expect(requests[1]!.request.body).toBe('{"variables":{"STRIPE":"***"}}')
  expect(requests[2]!.response.body).toContain('"variables":{"STRIPE":"***"}')
  for (const shown of [requests, (await client.control('GET', 'requests/har')).json])
    expect(JSON.stringify(shown)).not.toContain('s3cr3t')
})

test('the journal is filtered, cleared and bounded', async () => {
  const client = await busyClient()
  const ids = async (query: string) =>
    (await client.control('GET', `requests?${query}`)).json.requests.map(({ id }: CallRecord) => id)
  expect(await ids('path=/za/**')).toEqual([2, 3, 4, 5])
  expect(await ids('path=/za/**/balance&status=400')).toEqual([5])
  expect(await ids('method=post')).toEqual([1])
  expect(await ids('client=nobody')).toEqual([])
  expect(await ids('after=3')).toEqual([4, 5])
  expect(await ids('limit=2')).toEqual([4, 5])
  expect(await ids('limit=0')).toEqual([])
  expect((await client.control('GET', 'requests?status=abc')).status).toBe(400)
  expect((await client.control('DELETE', 'requests')).json).toEqual({ deleted: 5 })
  for (let i = 0; i < 2100; i++) await client.get('/za/pb/v1/accounts')
  const { requests, dropped } = (await client.control('GET', 'requests')).json
  expect([requests.length, requests[0].id, dropped]).toEqual([1000, 1106, 1100])
})

test('expectations are compared with the journal: 200, or 409 with the nearest calls', async () => {
  const client = await busyClient()
  const verify = (body: object) => client.control('POST', 'requests/verify', body)
  expect((await verify({ match: { path: balance }, count: { exactly: 1 } })).json).toEqual({
    matched: 1,
    calls: [3],
  })
  expect((await verify({ match: { method: 'GET' } })).json.matched).toBe(4)
  expect((await verify({ match: { path: '/za/**' }, count: { atLeast: 2, atMost: 4 } })).status).toBe(200)
  expect(
    (await verify({ match: { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } } })).json
      .calls,
  ).toEqual([1])
  expect((await verify({ match: { body: { scope: 'accounts' } } })).json.calls).toEqual([1])

  const missing = await verify({ match: { method: 'POST', path: balance }, count: { exactly: 1 } })
  expect(missing.status).toBe(409)
  expect(missing.json.detail).toMatch(
    /^Expected exactly 1, found 0 of 5 calls\. Nearest:\n  [A-Z]+ \S+ → \d+; differs in \w/,
  )
  expect(missing.json.nearest[0]).toMatchObject({ id: 3, method: 'GET', path: balance, differs: ['method'] })
  const tooMany = await verify({ match: { method: 'GET' }, count: { atMost: 2 } })
  expect(tooMany.status).toBe(409)
  expect(tooMany.json.nearest.map(({ id }: { id: number }) => id)).toEqual([5, 4, 3])
  expect((await verify({ match: {}, count: { atLeast: 3, atMost: 2 } })).status).toBe(400)
  expect((await verify({ match: {}, count: {} })).status).toBe(400)
})

test('a fault shows in the journal, and a call without an answer has no status', async () => {
  const client = await Client.of(sandboxAt())
  await client.control('POST', 'faults', { fault: { kind: 'reset' } })
  await client.get(balance)
  const { requests } = (await client.control('GET', 'requests?path=**/balance')).json
  expect(requests[0]).toMatchObject({ status: null, fault: 'f1' })
})

test('the HTTP archive contains the same calls', async () => {
  const client = await busyClient()
  const { log } = (await client.control('GET', 'requests/har')).json
  expect(log.version).toBe('1.2')
  expect(log.entries).toHaveLength(5)
  expect(log.entries[3].request).toMatchObject({
    method: 'GET',
    url: `http://localhost/za/pb/v1/accounts/${everyday}/transactions?fromDate=2026-03-01&toDate=2026-03-02`,
    queryString: [
      { name: 'fromDate', value: '2026-03-01' },
      { name: 'toDate', value: '2026-03-02' },
    ],
  })
  expect(log.entries[0].request.postData).toEqual({
    mimeType: 'application/x-www-form-urlencoded',
    text: 'grant_type=client_credentials&scope=accounts',
  })
})

test('the event stream sends calls, settlements and clock moves as they happen', async () => {
  const sandbox = sandboxAt()
  const client = await Client.of(sandbox)
  const listening = await listen(sandbox, { host: '127.0.0.1', port: 0 })
  try {
    const response = await fetch(`${listening.url}/_sandbox/events?types=call,settlement,clock`)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = response.body!.getReader()
    let text = ''
    const until = async (pattern: RegExp) => {
      while (!pattern.test(text)) text += Buffer.from((await reader.read()).value).toString()
    }
    await until(/^: listening\n\n/)
    await client.get(balance)
    await until(/event: call\ndata: \{"type":"call","at":"2026-03-25T08:00:00.000Z",.*"status":200/)
    await client.control('POST', 'clock', { advance: 'P3D' })
    await until(/event: settlement\n/)
    await until(/event: clock\ndata: \{"type":"clock","at":"2026-03-28T08:00:00.000Z"/)
    expect(text).not.toContain('event: entry')
    await reader.cancel()
  } finally {
    await listening.close()
  }
  // No listener is left once the connection is closed.
  for (let i = 0; sandbox.main.events.isHeard && i < 100; i++)
    await new Promise((resolve) => setImmediate(resolve))
  expect(sandbox.main.events.isHeard).toBe(false)
})
