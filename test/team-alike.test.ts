// Three replicas answer like one process: the same bytes for the same calls, each sent to another of them.

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect } from '@jest/globals'
import { Stream } from '../src/determinism/random.js'
import { createSandbox } from '../src/index.js'
import { listen, type Listening } from '../src/http/server.js'
import { Fleet } from './team-replicas.js'
import { describeStore, test } from './team-store.js'
import { frozenMs, transportCases, type Case } from './transport-cases.js'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** As in transports.test.ts. */
const ofTransport = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/** Only members of new workspaces that chance gives are left out. */
const masked = (text: string): string => text.replace(/,?"controlToken":"[0-9a-f]{32}"/g, '')

async function send(url: string, { method, path, headers, body }: Case): Promise<Answer> {
  const response = await fetch(url + path, { method, headers, body: body ?? null })
  const text = masked(
    Buffer.from(await response.arrayBuffer())
      .toString('latin1')
      .replaceAll(url, 'URL'),
  )
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ofTransport.has(name))),
    body:
      text.length < 400 ? text : `${text.slice(0, 400)}… ${createHash('sha256').update(text).digest('hex')}`,
  }
}

describeStore('three replicas', () => {
  let fleet: Fleet
  let single: Listening
  let cases: Case[] = []
  const close: (() => Promise<void>)[] = []

  beforeAll(async () => {
    fleet = await Fleet.of(3, { sandbox: { nowMs: frozenMs } })
    const sandbox = await createSandbox({ now: frozenMs })
    single = await listen(sandbox.core, { host: '127.0.0.1', port: 0 })
    const probe = await createSandbox({ now: frozenMs })
    const first = (await transportCases(probe.core, '')).find(({ name }) => name === 'token good')!
    const { access_token: token } = JSON.parse((await probe.handle(first)).body as string) as {
      access_token: string
    }
    cases = [first, ...(await transportCases(probe.core, token))]
    close.push(
      () => fleet.close(),
      () => single.close(),
      () => sandbox.close(),
      () => probe.close(),
    )
  })
  afterAll(() => Promise.all(close.map((each) => each())))

  test('give the answers of one process to every case of the table', async () => {
    const chance = Stream.of(1, 'replicas')
    let alike = 0
    for (const each of cases) {
      const expected = await send(single.url, each)
      const answer = await send(fleet.url(chance.between(0, 2)), each)
      expect({ name: each.name, ...answer }).toEqual({ name: each.name, ...expected })
      alike++
    }
    expect(alike).toBeGreaterThan(150)
    expect(fleet.holdings.flat()).toContain('default')
  })
})
