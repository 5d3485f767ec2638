import { expect, test } from '@jest/globals'
import { card, CardHolder, otherCard } from '../../test/card-holder.js'
import { Client } from '../../test/client.js'
import type { Execution } from '../bank/cards/card-records.js'
import { maxCallsUnderWay } from '../workspace/executions.js'

const plain = 'const beforeTransaction = async () => true; const afterTransaction = async () => {}'

/** A card holder whose clock runs: calls at the same time do not wait for each other. */
const running = async (): Promise<CardHolder> => {
  const holder = await CardHolder.of()
  await holder.client.control('POST', 'clock', { resume: true })
  return holder
}

const bomb = (calls: number): string => `
  const beforeTransaction = async () => {
    const path = 'https://bank.example/za/v1/cards/${card}/code/execute'
    const headers = { Authorization: 'Bearer ' + process.env.TOKEN, 'Content-Type': 'application/json' }
    const simulationcode = process.env.CODE
    await Promise.all(Array.from({ length: ${calls} }, async () => {
      const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ simulationcode }) })
      if (response.status !== 200) console.log((await response.json()).detail)
    }))
    return true
  }
  const afterTransaction = async () => {}`

test('code that starts itself many times over is stopped after 64 executions', async () => {
  const holder = await CardHolder.of()
  const code = bomb(8)
  const variables = { TOKEN: holder.client.token, CODE: code }
  await holder.post(`/${card}/environmentvariables`, { variables })
  let begun = 0
  holder.client.sandbox.main.outboundStubs = () => {
    begun++
    return Promise.resolve(undefined)
  }
  const { status } = await holder.simulate(code)
  expect(status).toBe(200)
  const { executionItems } = (await holder.get(`/${card}/code/executions`)).json.data.result as {
    executionItems: Execution[]
  }
  const said = new Set(executionItems.flatMap(({ logs }) => logs.map(({ content }) => content)))
  expect(said).toContain('One call may start at most 64 executions, those that card code starts included.')
  // Two of the call itself and two of each simulation: 31 simulations, each of which calls eight times.
  expect(begun).toBeLessThanOrEqual(32 * 8)
})

test('a reset stops running hooks and drops waiting ones', async () => {
  const holder = await CardHolder.of()
  const slow = plain.replace('true', 'fetch("https://slow.test/").then(() => true)')
  let asked: (() => void) | undefined
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  holder.client.sandbox.main.outboundStubs = () => {
    asked!()
    return new Promise(() => undefined)
  }
  const [first, ...others] = Array.from({ length: 5 }, () => holder.simulate(slow))
  await isAsked
  await holder.client.control('POST', 'reset')
  const errors = (await Promise.all([first!, ...others])).map(
    ({ json }) => (json.data.result[0] as Execution).Error,
  )
  expect(errors[0]).toMatchObject({
    code: 'timed-out',
    message: 'beforeTransaction was stopped: the workspace was reset or deleted',
  })
  for (const error of errors.slice(1))
    expect(error).toMatchObject({ code: 'not-run', message: 'the workspace was reset or deleted' })
  const again = CardHolder.with(await Client.of(holder.client.sandbox))
  expect((await again.simulate(plain)).json.data.result[0].Error).toBeNull()
})

test('a nested execution ends with its caller', async () => {
  const holder = await running()
  const outer = `
    const beforeTransaction = async () => {
      const headers = { Authorization: 'Bearer ' + process.env.TOKEN, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ simulationcode: process.env.CODE })
      await fetch('https://bank.example/za/v1/cards/${otherCard}/code/execute', { method: 'POST', headers, body })
    }
    const afterTransaction = async () => {}`
  const inner = `const beforeTransaction = async () => true
    const afterTransaction = async () => { await new Promise(() => {}) }`
  await holder.post(`/${card}/environmentvariables`, {
    variables: { TOKEN: holder.client.token, CODE: inner },
  })
  const { json } = await holder.simulate(outer)
  expect(json.data.result[0].Error).toMatchObject({ code: 'timed-out' })
  const { executionItems } = (await holder.get(`/${otherCard}/code/executions`)).json.data.result as {
    executionItems: Execution[]
  }
  expect(executionItems.map(({ type }) => type)).toEqual(['after_transaction', 'before_transaction'])
})

test('a workspace refuses calls beyond its limit, and says how many are running', async () => {
  const holder = await CardHolder.of()
  holder.client.sandbox.main.outboundStubs = () => new Promise(() => undefined)
  const slow = plain.replace('true', 'fetch("https://slow.test/").then(() => true)')
  const taken = Array.from({ length: maxCallsUnderWay }, () => holder.simulate(slow))
  const { status, json } = await holder.simulate(plain)
  expect([status, json.type, json.detail]).toEqual([
    429,
    'urn:sandbox-server:problem:too-many-executions',
    '128 calls that run card code are under way in this workspace; wait for some to end.',
  ])
  await holder.publish(plain)
  const bought = await holder.buy({ centsAmount: 100 })
  expect([
    bought.status,
    (await holder.client.control('GET', `cards/${card}/transactions`)).json,
  ]).toMatchObject([429, { transactions: [] }])
  await holder.client.control('POST', 'reset')
  await Promise.all(taken)
  const again = CardHolder.with(await Client.of(holder.client.sandbox))
  expect((await again.simulate(plain)).status).toBe(200)
})

test('a hook whose name is a getter that throws ends as threw', async () => {
  const holder = await CardHolder.of()
  const code = `Object.defineProperty(globalThis, 'beforeTransaction', { get() { throw new Error('getter') } })
    const afterTransaction = async () => {}`
  expect((await holder.simulate(code)).json.data.result[0].Error).toMatchObject({
    code: 'threw',
    message: 'getter',
  })
})

test('with a frozen clock a delay of the bank passes in the time of card code', async () => {
  const holder = await CardHolder.of()
  await holder.client.control('POST', 'faults', { match: { path: '**/accounts' }, delayMs: 1_500 })
  const source = `
    const beforeTransaction = async () => {
      const began = Date.now()
      const headers = { Authorization: 'Bearer ' + process.env.TOKEN }
      const response = await fetch('https://bank.example/za/pb/v1/accounts', { headers })
      console.log(response.status, Date.now() - began)
      return true
    }
    const afterTransaction = async () => {}`
  await holder.post(`/${card}/environmentvariables`, { variables: { TOKEN: holder.client.token } })
  const { json } = await holder.simulate(source)
  const [before] = json.data.result as [Execution]
  expect(before.logs.map(({ content }) => content)).toEqual(['200 1500'])
  expect(Date.parse(before.completedAt) - Date.parse(before.startedAt)).toBe(1_500)
})
