import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { ReadClient } from './read-client.js'

test.each([
  ['by default', undefined, 500],
  ['at ten a second', 10, 100],
])('%s, each request waits after the previous one, also when many are made at once', async (_, rate, ms) => {
  const log: (string | number)[] = []
  const server = createServer((request, response) => {
    log.push(request.url!)
    response.end('{"access_token":"x"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = { clientId: 'a', clientSecret: 'b', apiKey: 'c' }
  // The clock of this test: only the client's waits move it.
  const wait = (pause: number) => Promise.resolve(log.push(pause))
  const client = new ReadClient({ url, credentials, rate, wait })
  await client.signIn()
  await Promise.all(['/1', '/2', '/3'].map((path) => client.get(path)))
  expect(log).toEqual(['/identity/v2/oauth2/token', ms, '/1', ms, '/2', ms, '/3', ms])
  server.closeAllConnections()
  server.close()
})
