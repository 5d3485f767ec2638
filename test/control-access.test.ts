import { expect, test } from '@jest/globals'
import { networkInterfaces } from 'node:os'
import { request } from 'node:http'
import { listen } from '../src/http/server.js'
import type { HttpOptions } from '../src/http/http-options.js'
import { sandboxAt } from './client.js'

const foreign = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address

/** The status of `GET /_sandbox/health` at an address, with these headers. */
async function health(options: HttpOptions, address: string, headers: Record<string, string>) {
  const listening = await listen(sandboxAt(), { ...options, host: '0.0.0.0', port: 0 })
  try {
    return await new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ host: address, port: listening.port, path: '/_sandbox/health', headers })
      asked.on('response', (response) => resolve(response.resume().statusCode))
      asked.on('error', reject).end()
    })
  } finally {
    await listening.close()
  }
}

test('programs on a loopback address may use the control API, unless it is off', async () => {
  expect(await health({}, '127.0.0.1', {})).toBe(200)
  expect(await health({ control: false }, '127.0.0.1', {})).toBe(404)
})

test('web pages of another origin may not, loopback or not, unless they are listed by name', async () => {
  for (const origin of ['http://localhost:5173', 'https://evil.example', 'null']) {
    expect(await health({}, '127.0.0.1', { origin })).toBe(401)
    expect(await health({ cors: ['*'] }, '127.0.0.1', { origin })).toBe(401)
  }
  const cors = ['http://localhost:5173']
  expect(await health({ cors }, '127.0.0.1', { origin: 'http://localhost:5173' })).toBe(200)
  expect(await health({}, '127.0.0.1', { 'sec-fetch-site': 'cross-site' })).toBe(401)
})

test('a foreign Host header is refused, also when a proxy on this machine forwards it', async () => {
  expect(await health({}, '127.0.0.1', { host: 'evil.example' })).toBe(401)
  const allowHosts = ['bank.test']
  expect(await health({ allowHosts }, '127.0.0.1', { host: 'bank.test' })).toBe(401)
  const open = { allowHosts, controlToken: 'a-control-token' }
  expect(await health(open, '127.0.0.1', { host: 'bank.test' })).toBe(401)
  const headers = { host: 'bank.test', authorization: 'Bearer a-control-token' }
  expect(await health(open, '127.0.0.1', headers)).toBe(200)
})

test.each(['forwarded', 'x-forwarded-for', 'X-Forwarded-Host', 'via', 'x-real-ip'])(
  'a request with %s came through a proxy, and needs the control token',
  async (name) => {
    const headers = { [name]: 'for=192.0.2.1' }
    expect(await health({}, '127.0.0.1', headers)).toBe(401)
    const controlToken = 'a-control-token'
    expect(await health({ controlToken }, '127.0.0.1', headers)).toBe(401)
    const authorization = `Bearer ${controlToken}`
    expect(await health({ controlToken }, '127.0.0.1', { ...headers, authorization })).toBe(200)
  },
)

test('the refusal behind a proxy names the header and the flag that would help', async () => {
  const listening = await listen(sandboxAt(), { host: '127.0.0.1', port: 0 })
  const answer = await fetch(`${listening.url}/_sandbox/health`, {
    headers: { 'x-forwarded-proto': 'https' },
  })
  const { type, detail } = (await answer.json()) as Record<string, string>
  await listening.close()
  expect(type).toBe('urn:sandbox-server:problem:control-refused')
  expect(detail).toContain('x-forwarded-proto')
  expect(detail).toContain('--control-token')
})

const elsewhere = foreign === undefined ? test.skip : test

elsewhere('callers on another address need the control token', async () => {
  const options = { allowHosts: [foreign!] }
  expect(await health(options, foreign!, {})).toBe(401)
  const open = { ...options, controlToken: 'a-control-token' }
  expect(await health(open, foreign!, {})).toBe(401)
  expect(await health(open, foreign!, { authorization: 'Bearer a-control-tokeN' })).toBe(401)
  expect(await health(open, foreign!, { authorization: 'Bearer a-control-token' })).toBe(200)
})
