import assert from 'node:assert/strict'
import { test } from 'node:test'

const { BANK_URL, SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET, SANDBOX_API_KEY } = process.env

test('the household has five accounts', async () => {
  const signedIn = await fetch(`${BANK_URL}/identity/v2/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${SANDBOX_CLIENT_ID}:${SANDBOX_CLIENT_SECRET}`)}`,
      'x-api-key': SANDBOX_API_KEY,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = await signedIn.json()
  const response = await fetch(`${BANK_URL}/za/pb/v1/accounts`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  assert.equal((await response.json()).data.accounts.length, 5)
})

test('nobody was paid', async () => {
  const response = await fetch(`${BANK_URL}/_sandbox/requests/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      match: { method: 'POST', path: '/za/pb/v1/accounts/*/paymultiple' },
      count: { exactly: 0 },
    }),
  })
  assert.equal(response.status, 200, await response.text())
})
