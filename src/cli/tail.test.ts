import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { sandboxAt } from '../../test/client.js'
import { listen, type Listening } from '../http/server.js'
import type { HttpOptions } from '../http/http-options.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { painter } from './colours.js'
import { Log } from './log.js'
import { RemoteBank, type TailOptions } from './tail.js'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function serve(
  sandbox: Sandbox,
  options: Partial<HttpOptions> & { port?: number } = {},
): Promise<Listening> {
  const listening = await listen(sandbox, { host: '127.0.0.1', port: 0, ...options })
  ends.push(async () => {
    await listening.close()
    await sandbox.close()
  })
  return listening
}

/** Follows a bank; `line` resolves with the next line that fits. */
async function follow(options: Partial<TailOptions> & { url: string }, isVerbose = false) {
  const bank = new RemoteBank({ workspace: 'default', ...options })
  const lines: string[] = []
  let wake = (): void => undefined
  const log = new Log({
    ask: bank.ask,
    print: (text) => {
      lines.push(text)
      wake()
    },
    style: () => ({ paint: painter(false), isVerbose }),
    isJson: false,
  })
  const end = new AbortController()
  let ended: Promise<void> | undefined
  await new Promise<void>((resolve, reject) => {
    ended = bank.follow(log, end.signal, resolve)
    ended.catch(reject)
  })
  ends.push(async () => {
    end.abort()
    await ended!.catch(() => undefined)
  })
  const line = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = lines.findIndex((each) => pattern.test(each))
      if (found >= 0) return lines.splice(0, found + 1).at(-1)!
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return { line, end, ended: ended! }
}

const accounts = { method: 'GET', path: '/za/pb/v1/accounts' }

test('tail prints the log of another bank, and ends when it is asked to', async () => {
  const sandbox = sandboxAt()
  const { url } = await serve(sandbox)
  const { line, end, ended } = await follow({ url })
  await sandbox.handle(accounts)
  expect(await line(/accounts/)).toMatch(
    /^08:00:00 {2}GET {2}\/za\/pb\/v1\/accounts {2}401 {2}[\d.]+ ms\n {10}missing-token: /,
  )
  end.abort()
  await ended
})

test('tail --verbose shows bodies, and follows the given workspace', async () => {
  const sandbox = sandboxAt()
  const { url } = await serve(sandbox)
  const body = JSON.stringify({ name: 'w1' })
  const headers = { 'content-type': 'application/json' }
  await sandbox.handle({ method: 'POST', path: '/_sandbox/workspaces', headers, body })
  const { line } = await follow({ url, workspace: 'w1' }, true)
  await sandbox.handle(accounts)
  await sandbox.handle({ ...accounts, path: '/za/pb/v1/profiles' }, sandbox.workspaces.get('w1'))
  const text = await line(/./)
  expect(text).toMatch(/^08:00:00 {2}\[w1\] {2}GET {2}\/za\/pb\/v1\/profiles {2}401 /)
  expect(text).toContain('\n          < {"type":"urn:sandbox-server:problem:missing-token"')
})

test('after a broken connection, tail shows the missed calls, each once', async () => {
  const sandbox = sandboxAt()
  const first = await listen(sandbox, { host: '127.0.0.1', port: 0 })
  const { line } = await follow({ url: first.url })
  await sandbox.handle({ ...accounts, path: '/za/pb/v1/first' })
  await line(/first/)
  await first.close()
  await sandbox.handle({ ...accounts, path: '/za/pb/v1/missed' })
  await serve(sandbox, { port: first.port })
  await sandbox.handle({ ...accounts, path: '/za/pb/v1/last' })
  // A line of the earlier call would be found first.
  expect(await line(/accounts|first|missed|started again/)).toContain('missed')
  expect(await line(/first|missed|last/)).toContain('last')
})

test('tail reports that a bank was restarted', async () => {
  const sandbox = sandboxAt()
  const first = await listen(sandbox, { host: '127.0.0.1', port: 0 })
  const { line } = await follow({ url: first.url })
  await first.close()
  await sandbox.close()
  await line(/does not answer; trying again/)
  const again = sandboxAt()
  await serve(again, { port: first.port })
  expect(await line(/started again/)).toBe('--:--:--  the bank was started again')
})

test('a bank that requires a token gets it, and a server that is not a bank does not', async () => {
  const sandbox = sandboxAt()
  // A name that is not a loopback name stands for another machine.
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization)
    response.writeHead(401).end()
  })
  const asked: (string | undefined)[] = []
  const stranger = await open(server)
  await expect(follow({ url: stranger, controlToken: 'token-token' })).rejects.toThrow(
    `${stranger} is no sandbox: /_sandbox/events answers 401 without events.`,
  )
  expect(asked).toEqual([undefined])
  const { port } = await serve(sandbox, { controlToken: 'token-token' })
  const proxy = await open(
    createServer((request, response) => {
      void fetch(`http://127.0.0.1:${port}${request.url!}`, {
        headers: { via: '1.1 proxy', authorization: request.headers.authorization ?? '' },
      })
        .then(async (answer) => {
          response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! })
          for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) response.write(part)
          response.end()
        })
        .catch(() => response.destroy())
    }),
  )
  await expect(follow({ url: proxy })).rejects.toMatchObject({
    message: `${proxy} asks for the token of its control API: --control-token gives it.`,
    exitCode: 2,
  })
  await expect(follow({ url: proxy, controlToken: 'wrong-token' })).rejects.toThrow(
    'refuses this --control-token',
  )
  const { line } = await follow({ url: proxy, controlToken: 'token-token' })
  await sandbox.handle(accounts)
  expect(await line(/accounts/)).toContain('401')
})

async function open(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a missing workspace, a disabled control API and an invalid address give one sentence each', async () => {
  const { url } = await serve(sandboxAt())
  await expect(follow({ url, workspace: 'nowhere' })).rejects.toMatchObject({
    message: `${url} refuses: No workspace "nowhere"; GET /_sandbox/workspaces lists them.`,
    exitCode: 2,
  })
  const closed = await serve(sandboxAt(), { control: false })
  await expect(follow({ url: closed.url })).rejects.toThrow('The control API is off')
  for (const odd of ['nowhere', 'ftp://127.0.0.1', 'http://user:secret@127.0.0.1'])
    await expect(follow({ url: odd })).rejects.toMatchObject({ exitCode: 2 })
})

test('a stream that is not from a sandbox ends tail with a sentence, or prints nothing', async () => {
  const url = await open(
    createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: null\n\ndata: {"type":7}\n\ndata: {broken\n\n')
      response.write(`data: ${'x'.repeat(4_100_000)}`)
    }),
  )
  const { ended } = await follow({ url })
  await expect(ended).rejects.toThrow(`${url} sends no events of a sandbox.`)
})
