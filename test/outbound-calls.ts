// A server that card code calls, and a runner for the hooks that call it, for tests.

import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll } from '@jest/globals'
import { type Outcome, type Run, createRunner } from '../src/card-code/host/runner.js'

export const nowMs = 1_700_000_000_000
const runner = createRunner({ maxWorkers: 2 })
/** The address of the server. */
export let base = ''
/** When the client of the last call to `/hang` has closed its connection. */
export let closed: Promise<void>
let server: Server

/** 32 MB, which all codings pack into a few kilobytes. */
const zeros = Buffer.alloc(32 * 2 ** 20)

const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void | Promise<void>> = {
  '/echo': async (request, response) => {
    const body = await buffer(request)
    const { method, headers } = request
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, headers, body: body.toString('base64') }))
  },
  '/bytes': (_, response) => void response.end(Buffer.from([0, 128, 255])),
  '/gzip': (_, response) => void response.setHeader('content-encoding', 'gzip').end(gzipSync('squeezed')),
  '/bomb-gzip': (_, response) => void response.setHeader('content-encoding', 'gzip').end(gzipSync(zeros)),
  '/bomb-deflate': (_, response) =>
    void response.setHeader('content-encoding', 'deflate').end(deflateSync(zeros)),
  '/bomb-br': (_, response) =>
    void response.setHeader('content-encoding', 'br').end(brotliCompressSync(zeros)),
  '/not-found': (_, response) => void response.writeHead(404, 'Nowhere').end('none'),
  '/bad-json': (_, response) => void response.end('<html>'),
  '/moved': (_, response) => void response.writeHead(302, { location: '/echo' }).end(),
  '/see-other': (_, response) => void response.writeHead(303, { location: '/echo' }).end(),
  '/kept': (_, response) => void response.writeHead(307, { location: '/echo' }).end(),
  '/round': (_, response) => void response.writeHead(302, { location: '/round' }).end(),
  '/to-metadata': (_, response) =>
    void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  '/to-file': (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/to-stub': (_, response) => void response.writeHead(302, { location: 'https://bank.test/token' }).end(),
  '/cookies': (_, response) => void response.setHeader('set-cookie', ['a=1', 'b=2']).end(),
  '/nine-mb': (_, response) => void response.end(Buffer.alloc(9 * 2 ** 20, 'a')),
  '/eleven-mb': (_, response) => void response.end(Buffer.alloc(11 * 2 ** 20, 'a')),
  '/cut': (request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('part')
    setImmediate(() => request.socket.destroy())
  },
  '/cut-chunks': (request, response) => {
    response.writeHead(200)
    response.write('part', () => setImmediate(() => request.socket.destroy()))
  },
  '/reset': (request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('part', () => setImmediate(() => request.socket.resetAndDestroy()))
  },
  '/cut-gzip': (request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '1000' })
    response.write(gzipSync('squeezed').subarray(0, 12), () => setImmediate(() => request.socket.destroy()))
  },
  '/no-gzip': (_, response) => void response.setHeader('content-encoding', 'gzip').end('this is no gzip'),
  '/no-head': ({ socket }) => void socket.destroy(),
  '/garbage': ({ socket }) => void socket.end('garbage\r\n\r\n'),
  '/hang': (_, response) => {
    closed = new Promise((resolve) => response.on('close', resolve))
  },
}

beforeAll(async () => {
  server = createServer((request, response) => void routes[request.url!]?.(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await runner.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Runs a hook with this body, in which `base` is the address of the server. */
export const execute = async (body: string, given: Partial<Run> = {}): Promise<Outcome> => {
  const { settled } = await runner.run({
    hook: 'hook',
    source: `const base = ${JSON.stringify(base)}\nconst hook = async () => {\n${body}\n}`,
    variables: {},
    payload: null,
    windowMs: 2_000,
    time: { nowMs, frozen: true },
    seed: 1,
    policy: 'allow',
    ...given,
  })
  return settled
}
/** A hook's body: makes the call and returns the fields of its error. */
export const caught = (call: string): string =>
  `return ${call}.then(() => 'none', (e) => [e.name, e.message, e.type, e.code ?? null])`
