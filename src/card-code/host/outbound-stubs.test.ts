// Calls that the host answers in place of the network, and the time that its answers take.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { caught, execute, nowMs } from '../../../test/outbound-calls.js'
import type { Run } from './runner.js'

test('the host’s answer comes before the network and before the policy', async () => {
  const asked: unknown[] = []
  const { value, outbound, completedMs } = await execute(
    `const r = await fetch('https://bank.test/token', { method: 'POST', body: 'a=1' })
    return [r.status, await r.json(), Date.now() - ${nowMs}]`,
    {
      policy: 'deny',
      answerOutbound: async ({ method, url, body }) => {
        asked.push([method, url, Buffer.from(body!).toString()])
        const json = Buffer.from('{"access_token":"x"}')
        return Promise.resolve({
          status: 201,
          headers: [['content-type', 'application/json']],
          body: json,
          spentMs: 300,
        })
      },
    },
  )
  expect(asked).toEqual([['POST', 'https://bank.test/token', 'a=1']])
  expect(value).toEqual([201, { access_token: 'x' }, 300])
  expect(outbound).toMatchObject([{ url: 'https://bank.test/token', status: 201, ms: 300 }])
  expect(completedMs).toBe(nowMs + 300)
})

test('an answer that takes longer than the window times the hook out, at no cost of real time', async () => {
  const answerOutbound: Run['answerOutbound'] = () =>
    Promise.resolve({ status: 200, headers: [], body: new Uint8Array(), spentMs: 2_500 })
  const began = performance.now()
  const { end, completedMs } = await execute(`await fetch('http://slow.test/')`, { answerOutbound })
  expect({ end, completedMs }).toEqual({ end: 'timed-out', completedMs: nowMs + 2_000 })
  expect(performance.now() - began).toBeLessThan(1_500)
})

test('answers arrive in the order of the time that they spend', async () => {
  const answerOutbound: Run['answerOutbound'] = ({ url }) =>
    Promise.resolve({
      status: 200,
      headers: [],
      body: new Uint8Array(),
      spentMs: Number(new URL(url).pathname.slice(1)),
    })
  const { value } = await execute(
    `const order = []
    const note = (name) => () => order.push([name, Date.now() - ${nowMs}])
    await Promise.all([fetch('http://s.test/300').then(note('300')), fetch('http://s.test/100').then(note('100')), new Promise((r) => setTimeout(r, 200)).then(note('timer'))])
    return order`,
    { answerOutbound },
  )
  expect(value).toEqual([
    ['100', 100],
    ['timer', 200],
    ['300', 300],
  ])
})

test('in frozen time the host is asked for one answer after the other, and its speed changes nothing', async () => {
  const events: string[] = []
  const answerOutbound: Run['answerOutbound'] = async ({ url }) => {
    events.push(`asked ${url}`)
    // The first answer is the slowest: longer than the window.
    if (url.endsWith('/1')) await pause(250)
    events.push(`answered ${url}`)
    return { status: 200, headers: [], body: new TextEncoder().encode(url) }
  }
  const { end, value, completedMs } = await execute(
    `const order = []
    const get = (url) => fetch(url).then((r) => r.text()).then((text) => order.push(text))
    await Promise.all([get('http://s.test/1'), get('http://s.test/2')])
    return order`,
    { answerOutbound, windowMs: 200 },
  )
  expect({ end, value, completedMs }).toEqual({
    end: 'returned',
    value: ['http://s.test/1', 'http://s.test/2'],
    completedMs: nowMs,
  })
  expect(events.map((event) => event.replace('http://s.test/', ''))).toEqual([
    'asked 1',
    'answered 1',
    'asked 2',
    'answered 2',
  ])
})

test('a redirect of the network may lead to the host’s answer', async () => {
  const answerOutbound: Run['answerOutbound'] = ({ url }) =>
    Promise.resolve(
      url === 'https://bank.test/token' ? { status: 200, headers: [], body: Buffer.from('stub') } : undefined,
    )
  const { value } = await execute(
    `const r = await fetch(base + '/to-stub'); return [await r.text(), r.url]`,
    { answerOutbound },
  )
  expect(value).toEqual(['stub', 'https://bank.test/token'])
})

test('an answer that fails is a failed request', async () => {
  const { value } = await execute(caught(`fetch('http://s.test/')`), {
    answerOutbound: () => Promise.reject(new Error('broken')),
  })
  expect(value).toEqual(['FetchError', 'broken', 'system', null])
})
