// The program that the pages of the cookbook test: a client that signs in, and signs in again when its token is refused.

/**
 * @param {{ url: string, fetch: typeof fetch, clientId: string, clientSecret: string, apiKey: string }} bank
 */
export function bankClient({ url, fetch, clientId, clientSecret, apiKey }) {
  let token

  async function signIn() {
    const response = await fetch(`${url}/identity/v2/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`, 'x-api-key': apiKey },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'accounts' }),
    })
    if (!response.ok) throw new Error(`signing in was answered with ${response.status}`)
    token = (await response.json()).access_token
  }

  /** The answer of the bank, whatever its status. */
  async function ask(method, path, body) {
    if (!token) await signIn()
    const send = () =>
      fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
      })
    const response = await send()
    if (response.status !== 401) return response
    await signIn()
    return send()
  }

  /** The data of an answer with status 200; throws otherwise. */
  async function data(method, path, body) {
    const response = await ask(method, path, body)
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`)
    return (await response.json()).data
  }

  return { ask, data }
}

/** The client of a sandbox in the process, under the address of production. */
export const clientOf = (sandbox) =>
  bankClient({ url: 'https://bank.example', fetch: sandbox.fetch, ...sandbox.credentials })
