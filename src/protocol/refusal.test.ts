// How refusals are written under `behaviour: documented` and `behaviour: observed`.

import { expect, test } from '@jest/globals'
import { readonlyKey, standardSignIn } from '../../test/ids.js'
import { Client, everyday, sandboxAt, testMs, tokenCall } from '../../test/client.js'
import type { Call } from './call.js'
import { refusalOf, refusalReply } from './refusal.js'

const categories = '/za/pb/v1/accounts/beneficiarycategories'
const transfers = `/za/pb/v1/accounts/${everyday}/transfermultiple`
const invalidAccount = "The specified account is invalid. (Parameter 'accountId')"

type Answer = { status: number; type: string | undefined; json: unknown }

/** The same request in both behaviours. */
async function both(ask: (client: Client) => Promise<Answer>): Promise<[Answer, Answer]> {
  const of = async (behaviour: 'documented' | 'observed') => {
    const client = await Client.of(sandboxAt(testMs, { behaviour }))
    const answer = await ask(client)
    // Whatever the body: the code is in a header, and the detail in the journal.
    const { json } = await client.control('GET', 'requests')
    const { problem, response } = json.requests.at(-1) as {
      problem: { code: string; detail: string }
      response: { headers: Record<string, string> }
    }
    expect(response.headers['sandbox-problem']).toBe(problem.code)
    expect(problem.detail).toMatch(/\.$/)
    return answer
  }
  return [await of('documented'), await of('observed')]
}

const get = (path: string) => async (client: Client) => {
  const { status, headers, json } = await client.get(path)
  return { status, type: headers['content-type'], json: json as unknown }
}

test('errors of the token endpoint: a body of RFC 6749, or none', async () => {
  const wrong: [Call, number, string][] = [
    [{ ...tokenCall(), body: 'grant_type=password' }, 400, 'unsupported_grant_type'],
    [tokenCall({ ...standardSignIn, clientSecret: 'x' }), 401, 'invalid_client'],
    [{ ...tokenCall(), body: 'a'.repeat(1_048_577) }, 400, 'invalid_request'],
  ] // prettier-ignore
  for (const [call, status, error] of wrong) {
    const documented = await sandboxAt().handle(call)
    expect([documented.status, JSON.parse(documented.body as string)]).toMatchObject([status, { error }])
    const sandbox = sandboxAt(testMs, { behaviour: 'observed' })
    const observed = await sandbox.handle(call)
    expect([observed.status, observed.body]).toEqual([status, ''])
    expect(observed.headers).toMatchObject({
      'content-length': '0',
      'cache-control': 'no-cache, no-store',
      pragma: 'no-cache',
      'sandbox-problem': observed.problem!.code,
    })
    expect(observed.headers['content-type']).toBeUndefined()
    expect(sandbox.main.journal.entries.at(-1)!.problem!.detail).toBe(documented.problem!.detail)
  }
})

test('an unknown account: a problem, or a JSON string', async () => {
  const [documented, observed] = await both(get('/za/pb/v1/accounts/1/balance'))
  expect(documented).toMatchObject({ status: 400, json: { type: 'urn:sandbox-server:problem:unknown-account' } })
  expect(observed).toEqual({ status: 400, type: 'application/json; charset=utf-8', json: invalidAccount })
}) // prettier-ignore

test('a missing profileId: a problem, or messages by field', async () => {
  const [documented, observed] = await both(get(categories))
  expect(documented).toMatchObject({ status: 400, json: { errors: [{ path: '/profileId' }] } })
  expect(observed).toEqual({
    status: 400,
    type: 'application/json; charset=utf-8',
    json: { profileId: ['The profileId field is required.'] },
  })
})

test('validation errors of a body are listed by field', async () => {
  const [, observed] = await both(async (client) => {
    const body = { transferList: [{ amount: 'x' }, 7], __proto__: null, profileId: 7 }
    const { status, headers, json } = await client.post(transfers, body)
    return { status, type: headers['content-type'], json: json as unknown }
  })
  expect(observed.json).toMatchObject({
    'transferList[0].myReference': ['The transferList[0].myReference field is required.'],
    'transferList[1]': ['The transferList[1] field must be object.'],
    profileId: ['The profileId field must be string or null.'],
  })
})

test('a missing permission: 401 or 403', async () => {
  const ask = async ({ sandbox }: Client): Promise<Answer> => {
    const signIn = { ...standardSignIn, apiKey: readonlyKey }
    return get('/za/v1/cards')(await Client.of(sandbox, signIn))
  } // prettier-ignore
  const [documented, observed] = await both(ask)
  const type = 'urn:sandbox-server:problem:missing-permission'
  expect(documented).toMatchObject({ status: 401, json: { type, status: 401 } })
  expect(observed).toMatchObject({ status: 403, json: { type, status: 403 } })
})

test('an internal error, also an injected one: a problem, or a body without a detail', async () => {
  const [documented, observed] = await both(async (client) => {
    await client.control('POST', 'faults', { fault: { status: 500 } })
    return get('/za/pb/v1/accounts')(client)
  })
  expect(documented).toMatchObject({ status: 500, json: { status: 500, type: /injected-fault/ } })
  const body = {
    type: 'https://tools.ietf.org/html/rfc9110#section-15.6.1',
    title: 'An error occurred while processing your request.',
    status: 500,
  }
  expect(observed).toEqual({ status: 500, type: 'application/problem+json; charset=utf-8', json: body })
  const reply = refusalReply(refusalOf(new Error('boom')), '/x?y', 'observed')
  expect([reply.status, JSON.parse(reply.body as string)]).toEqual([500, body])
  expect(reply.problem).toEqual({ code: 'internal-error', detail: 'The sandbox failed: boom' })
})

test('without a scope in the request: all scopes of the key, or the five that were seen, as permitted', async () => {
  const scopeOf = async (behaviour: 'documented' | 'observed', apiKey: string): Promise<string> => {
    const sandbox = sandboxAt(testMs, { behaviour })
    const signIn = { ...standardSignIn, apiKey }
    const reply = await sandbox.handle({ ...tokenCall(signIn), body: 'grant_type=client_credentials' })
    return (JSON.parse(reply.body as string) as { scope: string }).scope
  }
  expect(await scopeOf('documented', 'sandbox-api-key')).toContain('accounts balances transactions')
  expect(await scopeOf('observed', 'sandbox-api-key')).toBe(
    'accounts balances beneficiarypayments transactions transfers',
  )
  expect(await scopeOf('observed', 'sandbox-readonly-key')).toBe('accounts balances transactions')
})

test('the control API refuses as documented in both behaviours', async () => {
  const client = await Client.of(sandboxAt(testMs, { behaviour: 'observed' }))
  const { status, json } = await client.control('PUT', 'settings', { pageSize: -1 })
  expect([status, json.type]).toEqual([400, 'urn:sandbox-server:problem:invalid-request'])
})
