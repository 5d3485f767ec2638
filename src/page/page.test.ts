import express from 'express'
import { expect, test } from '@jest/globals'
import request from 'supertest'
import { sandboxAt } from '../../test/client.js'
import { createApp } from '../http/app.js'
import { createHandler } from '../http/handler.js'
import type { HttpOptions } from '../http/http-options.js'

const open = (options?: HttpOptions) => createApp(sandboxAt(), { ...options, isRoot: true })
/** What a browser sends when a person opens an address. */
const at = { Host: 'localhost:3300', Accept: 'text/html' }

const files = async (): Promise<string[]> => {
  const { text } = await request(open()).get('/_sandbox/').set(at)
  return [...text.matchAll(/(?:href|src)="(page\/[^"]+)"/g)].map(([, path]) => `/_sandbox/${path!}`)
}

test('the shell holds no data, names its files, and lets nothing else in', async () => {
  const { status, headers, text } = await request(open()).get('/_sandbox/').set(at)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(headers['content-security-policy']!.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ])
  expect(headers['set-cookie']).toBeUndefined()
  expect(text).not.toMatch(/sandbox-client|naidoo|<script>|style=/i)
  expect(await files()).toEqual([
    expect.stringMatching(/\/page\/app-\w{8}\.css$/),
    expect.stringMatching(/\/page\/app-\w{8}\.js$/),
  ])
})

test('the files are served, compressed or not, under names that never change their content', async () => {
  for (const path of await files()) {
    const { status, headers, text } = await request(open()).get(path).set(at)
    expect([status, headers['cache-control']]).toEqual([200, 'private, max-age=31536000, immutable'])
    const plain = await request(open())
      .get(path)
      .set({ ...at, 'accept-encoding': 'identity' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.text).toBe(text)
  }
})

test('the page requests its own files with its own origin, another site with another', async () => {
  for (const path of await files()) {
    const withOrigin = (origin: string) =>
      request(open())
        .get(path)
        .set({ ...at, Origin: origin })
    expect((await withOrigin('http://localhost:3300')).status).toBe(200)
    for (const other of ['http://localhost:3301', 'https://evil.example', 'null'])
      expect((await withOrigin(other)).status).toBe(401)
  }
})

test.each(['../page.js', '..%2fpage.js', 'nothing.js', 'app.js.map', '', '.', '__proto__', 'con'])(
  'the page has no file %p',
  async (name) => {
    const { status } = await request(open()).get(`/_sandbox/page/${name}`).set(at)
    expect(status).toBe(404)
  },
)

test('a browser that opens the address of the bank is redirected to the page, a program is not', async () => {
  const page = await request(open())
    .get('/')
    .set({ ...at, Accept: 'text/html,*/*' })
  expect([page.status, page.headers.location]).toEqual([302, '_sandbox/'])
  const bare = await request(open()).get('/_sandbox').set(at)
  expect([bare.status, bare.headers.location]).toEqual([302, '_sandbox/'])
})

test.each([{}, { Accept: '*/*' }, { Accept: 'application/json' }])(
  'a program that accepts %j is told where everything is',
  async (accept) => {
    const headers = { Host: 'localhost:3300', ...accept }
    const root = await request(open()).get('/').set(headers)
    expect([root.status, root.body.detail]).toEqual([
      404,
      'This is sandbox-server, a bank that runs on your machine: GET /_sandbox says where everything is, and shows a page in a browser.',
    ])
    for (const path of ['/_sandbox', '/_sandbox/']) {
      const { status, body } = await request(open()).get(path).set(headers)
      expect([status, body]).toEqual([
        200,
        {
          name: 'sandbox-server',
          version: expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown,
          page: 'http://localhost:3300/_sandbox/',
          health: 'GET http://localhost:3300/_sandbox/health',
          token: 'POST http://localhost:3300/identity/v2/oauth2/token',
          accounts: 'GET http://localhost:3300/za/pb/v1/accounts',
          service: 'GET http://localhost:3300/_sandbox/openapi.json',
          control: 'GET http://localhost:3300/_sandbox/control.json',
        },
      ])
    }
  },
)

test.each([
  ['a link of another site', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' }, 200],
  ['an address that was typed', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Dest': 'document' }, 200],
  ['a frame of another site', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'iframe' }, 401],
  ['a frame of the same origin', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'iframe' }, 401],
  ['a script of another site', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'script' }, 401],
  ['a page of another port', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Dest': 'empty' }, 401],
  ['a name that was rebound', { Host: 'evil.example:3300' }, 401],
])('%s may get the shell: %j', async (_, headers, status) => {
  const answer = await request(open())
    .get('/_sandbox/')
    .set({ ...at, ...headers })
  expect(answer.status).toBe(status)
  if (status !== 200) expect(answer.type).toBe('application/problem+json')
})

test('a file of the page goes to no other site, and data to no page that was opened from one', async () => {
  const headers = { ...at, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' }
  for (const path of [...(await files()), '/_sandbox/accounts'])
    expect((await request(open()).get(path).set(headers)).status).toBe(401)
})

test('a request that a person typed may read the control API and change nothing', async () => {
  const headers = { ...at, 'Sec-Fetch-Site': 'none' }
  expect((await request(open()).get('/_sandbox/health').set(headers)).status).toBe(200)
  const { body } = await request(open()).post('/_sandbox/reset').set(headers)
  expect(body).toMatchObject({ type: 'urn:sandbox-server:problem:origin-refused' })
})

test.each([{ page: false }, { control: false }])('no page is served with %j', async (options) => {
  const app = open(options)
  for (const path of ['/', '/_sandbox', '/_sandbox/', ...(await files())]) {
    const { status, type } = await request(app).get(path).set(at)
    const isGuide = path.startsWith('/_sandbox') && !path.includes('page') && 'page' in options
    expect([path, status, type]).toEqual([
      path,
      isGuide ? 200 : 404,
      isGuide ? 'application/json' : 'application/problem+json',
    ])
  }
})

test('mounted below a path, the page is below that path, and other paths belong to the application', async () => {
  const app = express()
  app.use('/bank', createHandler(sandboxAt()))
  app.use((_, response) => void response.status(418).send('of the application'))
  expect((await request(app).get('/bank/_sandbox').set(at)).headers.location).toBe('_sandbox/')
  const { status, text } = await request(app).get('/bank/_sandbox/').set(at)
  expect([status, text]).toEqual([200, expect.stringContaining('src="page/app-')])
  const accepts = { ...at, Accept: 'text/html' }
  for (const path of ['/', '/bank', '/bank/', '/_sandbox/'])
    expect((await request(app).get(path).set(accepts)).status).toBe(418)
})
