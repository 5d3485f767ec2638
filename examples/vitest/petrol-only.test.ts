import { expect, test } from 'vitest'
import { useSandbox } from 'sandbox-server/vitest'
import { petrolOnly } from './petrol-only.js'

const sandbox = useSandbox({ now: '2026-03-25T08:00:00Z' })

async function simulate(merchantCode: number): Promise<unknown> {
  const { clientId, clientSecret, apiKey } = sandbox.credentials
  const signedIn = await sandbox.fetch('/identity/v2/oauth2/token', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`, 'x-api-key': apiKey },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = (await signedIn.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const listed = await sandbox.fetch('/za/v1/cards', { headers })
  const { data } = (await listed.json()) as {
    data: { cards: { CardKey: string; IsProgrammable: boolean }[] }
  }
  const card = data.cards.find(({ IsProgrammable }) => IsProgrammable)!
  const run = await sandbox.fetch(`/za/v1/cards/${card.CardKey}/code/execute`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      simulationcode: petrolOnly,
      centsAmount: '60000',
      currencyCode: 'zar',
      merchantCode,
      merchantCity: 'Durban',
      countryCode: 'ZA',
    }),
  })
  return run.json()
}

test('petrol is paid for', async () => {
  expect(await simulate(5541)).toApprove()
})

test('nothing else is', async () => {
  const run = await simulate(5812)
  expect(run).toDecline()
  expect(run).toHaveLogged('category 5812')
})
