// Card code that calls the sandbox, in every way: it must not reach the control API, nor start itself endlessly.

import { afterEach, expect, test } from '@jest/globals'
import express from 'express'
import { setupServer } from 'msw/node'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sandboxRouter } from '../src/express.js'
import { createSandbox, type LocalSandbox } from '../src/index.js'
import { handlers } from '../src/msw.js'
import { card } from './card-holder.js'
import { standardSignIn, tokenCall } from './client.js'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A sandbox for each way in, and its address for card code. */
const ways: Record<string, () => Promise<{ sandbox: LocalSandbox; url: string }>> = {
  Express: async () => {
    const sandbox = await sandboxOf()
    const app = express()
    app.use('/bank', sandboxRouter(sandbox))
    const server = await new Promise<Server>((resolve) => {
      const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
    })
    ends.push(() => {
      server.close()
      server.closeAllConnections()
    })
    return { sandbox, url: `http://localhost:${(server.address() as AddressInfo).port}/bank` }
  },
  MSW: async () => {
    const sandbox = await sandboxOf()
    const network = setupServer(...handlers(sandbox, { baseUrl: 'http://bank.test/base' }))
    network.listen({ onUnhandledRequest: 'error' })
    ends.push(() => network.close())
    return { sandbox, url: 'http://bank.test/base' }
  },
  'MSW at a local address': async () => {
    const sandbox = await sandboxOf()
    const network = setupServer(...handlers(sandbox, { baseUrl: 'http://127.0.0.1:1' }))
    network.listen({ onUnhandledRequest: 'error' })
    ends.push(() => network.close())
    return { sandbox, url: 'http://127.0.0.1:1' }
  },
}

async function sandboxOf(): Promise<LocalSandbox> {
  const sandbox = await createSandbox()
  ends.push(() => sandbox.close())
  return sandbox
}

async function simulate(sandbox: LocalSandbox, code: string, variables: Record<string, string>) {
  const token = JSON.parse((await sandbox.handle(tokenCall(standardSignIn))).body as string) as {
    access_token: string
  }
  const headers = { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const reply = await sandbox.handle({ method: 'POST', path: `/za/v1/cards/${card}${path}`, headers, body })
    expect([reply.status, reply.body]).toEqual([200, expect.anything()])

    return JSON.parse(reply.body as string)
  }
  await post('/environmentvariables', { variables: { ...variables, TOKEN: token.access_token, CODE: code } })
  await post('/code/execute', { simulationcode: code })
  const list = await sandbox.handle({ method: 'GET', path: `/za/v1/cards/${card}/code/executions`, headers })
  const { data } = JSON.parse(list.body as string) as {
    data: { result: { executionItems: { logs: { content: string }[] }[] } }
  }
  return data.result.executionItems.flatMap(({ logs }) => logs.map(({ content }) => content))
}

test.each(Object.keys(ways))('card code cannot reach the control API by %s', async (name) => {
  const { sandbox, url } = await ways[name]!()
  const code = `
    const beforeTransaction = async () => {
      const headers = { 'Content-Type': 'application/json', 'x-sandbox-card-code': '' }
      for (const path of ['/_sandbox/clock', '/_sandbox//clock', '/_sandbox/settings', '/za/pb/v1/accounts'])
        console.log((await fetch(process.env.URL + path, { headers })).status)
      const moved = await fetch(process.env.URL + '/_sandbox/clock', { method: 'POST', headers, body: '{"set":"2030-01-01T00:00:00Z"}' })
      console.log(moved.status, (await moved.json()).detail)
      return true
    }
    const afterTransaction = async () => {}`
  expect(await simulate(sandbox, code, { URL: url })).toEqual([
    '404',
    '404',
    '404',
    '401',
    '404 Card code cannot reach the control API of the sandbox.',
  ])
  const calls = await sandbox.handle({ method: 'GET', path: '/_sandbox/requests' })
  expect(calls.body).not.toContain('"x-sandbox-card-code"')
  expect(calls.body).toContain('/za/pb/v1/accounts')
})

test.each(Object.keys(ways))('card code that starts itself by %s is stopped', async (name) => {
  const { sandbox, url } = await ways[name]!()
  const code = `
    const beforeTransaction = async () => {
      const headers = { Authorization: 'Bearer ' + process.env.TOKEN, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ simulationcode: process.env.CODE })
      const response = await fetch(process.env.URL + '/za/v1/cards/${card}/code/execute', { method: 'POST', headers, body })
      console.log(response.status, response.status === 200 ? 'ran' : (await response.json()).detail)
      return true
    }
    const afterTransaction = async () => {}`
  const said = await simulate(sandbox, code, { URL: url })
  expect(said.toSorted()).toEqual([
    '200 ran',
    '200 ran',
    '400 Card code may start card code at most 3 times over.',
  ])
})
