import { cleanup, render, screen } from '@testing-library/react'
import { setupServer } from 'msw/node'
import React from 'react'
import { useSandbox } from 'sandbox-server/vitest'
import { handlers } from 'sandbox-server/msw'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Balance } from './balance.jsx'

globalThis.React = React

const accountId = '4675778129910189600000003'
const sandbox = useSandbox({ now: '2026-03-25T08:00:00Z' })
const server = setupServer(...handlers(sandbox, { baseUrl: 'https://bank.example' }))

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => cleanup())
afterAll(() => server.close())

async function signIn() {
  const { clientId, clientSecret, apiKey } = sandbox.credentials
  const response = await fetch('https://bank.example/identity/v2/oauth2/token', {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      'x-api-key': apiKey,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials&scope=accounts',
  })
  return (await response.json()).access_token
}

test('shows the balance of the account', async () => {
  render(<Balance accountId={accountId} token={await signIn()} />)
  await screen.findByText(`R ${sandbox.balance(accountId).currentBalance.toFixed(2)}`)
})

test('says so when the token has expired', async () => {
  const token = await signIn()
  await sandbox.clock.advance('PT30M')
  render(<Balance accountId={accountId} token={token} />)
  await screen.findByText('not available')
  expect(sandbox).toHaveReceived({ path: '/za/pb/v1/accounts/*/balance', status: 401 }, { exactly: 1 })
})
