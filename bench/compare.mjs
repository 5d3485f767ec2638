// Public mock servers that are alternatives, on the same data in the same run: requests per second, start and memory.
// Their packages are installed into bench/compare when they are missing, and used nowhere else.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createSandbox } from 'sandbox-server'
import { handlers } from 'sandbox-server/msw'
import { figure, median } from './figures.mjs'
import { load } from './load.mjs'
import { startSandbox, tokenOf } from './servers.mjs'
import { freePort } from '../scripts/free-port.mjs'

const rounds = Number(process.env.ROUNDS ?? 3)
const packages = path.join(import.meta.dirname, 'compare')
if (!existsSync(path.join(packages, 'node_modules')))
  execFileSync('npm', ['install', '--silent'], { cwd: packages, stdio: 'inherit' })
const folder = mkdtempSync(path.join(tmpdir(), 'bench-compare-'))

const account = '4675778129910189600000003'
const asked = {
  'GET accounts': '/za/pb/v1/accounts',
  'GET transactions, 180 days': `/za/pb/v1/accounts/${account}/transactions`,
}

const sandbox = await startSandbox()
const authorization = `Bearer ${await tokenOf(sandbox)}`
const bodies = {}
for (const at of Object.values(asked))
  bodies[at] = await (await fetch(sandbox.url + at, { headers: { authorization } })).json()
await sandbox.stop()

const write = (name, value) => {
  const file = path.join(folder, name)
  writeFileSync(file, JSON.stringify(value))
  return file
}

const openApi = write('openapi.json', {
  openapi: '3.1.0',
  info: { title: 'The same answers', version: '1' },
  paths: Object.fromEntries(
    Object.entries(bodies).map(([at, example]) => [
      at,
      {
        get: {
          responses: { 200: { description: 'As ours.', content: { 'application/json': { example } } } },
        },
      },
    ]),
  ),
})
const database = write(
  'db.json',
  Object.fromEntries(Object.entries(bodies).map(([, body], index) => [`answer${index}`, body])),
)
const routes = write(
  'routes.json',
  Object.fromEntries(Object.keys(bodies).map((at, index) => [at, `/answer${index}`])),
)
const mockoon = (port) =>
  write('mockoon.json', {
    uuid: '00000000-0000-4000-8000-000000000000',
    lastMigration: 33,
    name: 'The same answers',
    port,
    hostname: '127.0.0.1',
    rootChildren: Object.keys(bodies).map((_, index) => ({ type: 'route', uuid: `route-${index}` })),
    routes: Object.entries(bodies).map(([at, body], index) => ({
      uuid: `route-${index}`,
      type: 'http',
      method: 'get',
      endpoint: at.slice(1),
      responses: [
        {
          uuid: `response-${index}`,
          statusCode: 200,
          headers: [{ key: 'content-type', value: 'application/json' }],
          body: JSON.stringify(body),
          bodyType: 'INLINE',
          default: true,
        },
      ],
    })),
  })

/** Starts a mock server of bench/compare, and waits until it answers. */
async function startMock(name, args) {
  const port = await freePort()
  const started = performance.now()
  const { bin } = JSON.parse(readFileSync(path.join(packages, 'node_modules', name, 'package.json'), 'utf8'))
  const file = path.join(
    packages,
    'node_modules',
    name,
    typeof bin === 'string' ? bin : Object.values(bin)[0],
  )
  const child = spawn(process.execPath, [file, ...args(port)], { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    try {
      const response = await fetch(url + asked['GET accounts'])
      await response.text()
      if (response.status === 200) break
      throw new Error(`${name} answers ${response.status}`)
    } catch (error) {
      if (error.cause?.code !== 'ECONNREFUSED') throw error
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return {
    url,
    pid: child.pid,
    firstMs: performance.now() - started,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

const mocks = {
  'sandbox-server': async () => {
    const server = await startSandbox()
    const response = await fetch(`${server.url}/_sandbox/health`)
    await response.text()
    const firstMs = performance.now() - server.started
    return { ...server, firstMs, headers: { authorization: `Bearer ${await tokenOf(server)}` } }
  },
  Prism: () =>
    startMock('@stoplight/prism-cli', (port) => [
      ...['mock', '--port', `${port}`, '--host', '127.0.0.1', '--verboseLevel', 'silent'],
      openApi,
    ]),
  'json-server': () =>
    startMock('json-server', (port) => [
      ...['--port', `${port}`, '--host', '127.0.0.1', '--quiet', '--routes', routes],
      database,
    ]),
  'Mockoon CLI': () =>
    startMock('@mockoon/cli', (port) => [
      ...['start', '--data', mockoon(port), '--port', `${port}`, '--disable-log-to-file', '--repair'],
    ]),
}

const results = {}
for (const [name, begin] of Object.entries(mocks)) {
  const starts = []
  const memory = []
  const rates = {}
  for (let round = 0; round < rounds; round++) {
    const server = await begin()
    starts.push(server.firstMs)
    memory.push(residentMb(server.pid))
    for (const [what, at] of Object.entries(asked)) {
      const { rate } = await load(server.url + at, { headers: server.headers ?? {} })
      ;(rates[what] ??= []).push(rate)
    }
    await server.stop()
  }
  results[name] = {
    start: median(starts),
    memory: median(memory),
    ...Object.fromEntries(Object.entries(rates).map(([what, list]) => [what, median(list)])),
  }
}

/**
 * Calls a second by `fetch` in this process, which MSW answers: with the bank, and with a handler that returns a fixed
 * answer.
 */
async function underMsw(at) {
  const local = await createSandbox({ now: '2026-03-15T08:00:00Z' })
  const baseUrl = 'https://bank.example'
  const { clientId, clientSecret, apiKey } = local.credentials
  const token = await tokenOf({ url: baseUrl, clientId, clientSecret, apiKey }, (url, init) => {
    const path = new URL(url).pathname
    return local.handle({ ...init, path }).then((reply) => new Response(reply.body))
  })
  const known = http.get(`${baseUrl}*`, () => HttpResponse.json(bodies[at]))
  const rates = { ours: [], theirs: [] }
  for (let round = 0; round < rounds; round++)
    for (const [name, answering] of [
      ['ours', handlers(local, { baseUrl })],
      ['theirs', [known]],
    ]) {
      const server = setupServer(...answering)
      server.listen({ onUnhandledRequest: 'error' })
      const call = async () => {
        const response = await fetch(baseUrl + at, { headers: { authorization: `Bearer ${token}` } })
        if (response.status !== 200) throw new Error(`${at}: ${response.status}`)
        await response.arrayBuffer()
      }
      for (let i = 0; i < 200; i++) await call()
      const count = 1000
      const started = performance.now()
      for (let i = 0; i < count; i++) await call()
      rates[name].push((count / (performance.now() - started)) * 1000)
      server.close()
    }
  await local.close()
  return { ours: median(rates.ours), theirs: median(rates.theirs) }
}

const { 'sandbox-server': ours, ...others } = results
for (const [name, theirs] of Object.entries(others)) {
  for (const what of Object.keys(asked))
    figure(`${what}: ours to ${name}, ${Math.round(theirs[what]).toLocaleString('en')}/s`, ours[what], {
      unit: '/s',
      ratio: ours[what] / theirs[what],
    })
  figure(`start to the first 200: ours to ${name}, ${Math.round(theirs.start)} ms`, ours.start, {
    unit: 'ms',
    ratio: ours.start / theirs.start,
  })
  figure(`memory at rest: ours to ${name}, ${Math.round(theirs.memory)} MB`, ours.memory, {
    unit: 'MB',
    ratio: ours.memory / theirs.memory,
  })
}
for (const [what, at] of Object.entries(asked)) {
  const { ours, theirs } = await underMsw(at)
  const beside = `an MSW handler that knows the answer, ${Math.round(theirs).toLocaleString('en')}/s`
  figure(`${what} by fetch under MSW: ours to ${beside}`, ours, { unit: '/s', ratio: ours / theirs })
}
rmSync(folder, { recursive: true })
