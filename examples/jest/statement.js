// The program under test: signs in at the bank and sums up what was spent.

/** Rand that left an account in a range of days; `fetch` may be any that speaks like the global one. */
async function spent(bank, accountId, { fromDate, toDate }) {
  const token = await signIn(bank)
  const query = new URLSearchParams({ fromDate, toDate })
  const response = await bank.fetch(`${bank.url}/za/pb/v1/accounts/${accountId}/transactions?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!response.ok) throw new Error(`the bank answered ${response.status}`)
  const { data } = await response.json()
  const cents = data.transactions
    .filter(({ type }) => type === 'DEBIT')
    .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  return cents / 100
}

async function signIn({ url, fetch, clientId, clientSecret, apiKey }) {
  const response = await fetch(`${url}/identity/v2/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'x-api-key': apiKey,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'accounts' }),
  })
  if (!response.ok) throw new Error(`the bank refused to sign us in: ${response.status}`)
  return (await response.json()).access_token
}

module.exports = { spent }
