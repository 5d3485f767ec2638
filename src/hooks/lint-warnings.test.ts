import { afterEach, expect, test } from '@jest/globals'
import type { Warning } from '../protocol/warning.js'
import { Client, sandboxAt, testMs } from '../../test/client.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { maxLintedLength } from './lint-warnings.js'

const misspelt = 'const beforetransaction = async () => true\n'
const saved = '/za/v1/cards/700615/code'

const open: Sandbox[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

/** A client of a sandbox that behaves as a server: only servers have a log. */
async function served(options = {}): Promise<Client> {
  const sandbox = sandboxAt(testMs, options)
  open.push(sandbox)
  sandbox.listensAt.add({ scheme: 'http', address: '127.0.0.1', port: 1 })
  return Client.of(sandbox)
}

const linted = (warnings: readonly Warning[] = []) => warnings.filter(({ code }) => code === 'card-lint')

test('saved code is linted: findings are warnings of the call, in the journal and in the events', async () => {
  const client = await served({ strict: true })
  const events = client.sandbox.main.events.listen(['call'])
  await events.next()
  const { status, warnings } = await client.call('POST', saved, { code: misspelt })
  expect(status).toBe(200)
  expect(linted(warnings)).toEqual([
    {
      code: 'card-lint',
      path: '/code',
      message: expect.stringMatching(/^main\.js:1:7 .*beforeTransaction.* \(misspelt-hook\)$/) as unknown,
    },
  ])
  const { json } = await client.call('GET', '/_sandbox/requests')
  expect(json.requests.at(-1).warnings).toEqual(warnings)
  expect((await events.next()).value).toContain('"warnings":[{"code":"card-lint","path":"/code"')
})

test('the program of a card is linted too, when its code is given', async () => {
  const client = await served()
  const path = '/_sandbox/cards/700615/program'
  const program = { code: misspelt, publish: true }
  expect(linted((await client.call('PUT', path, program)).warnings)).toHaveLength(1)
  expect((await client.call('PUT', path, { enabled: true })).warnings).toBeUndefined()
})

test('code without findings has no warnings, nor has code that is too long to lint here', async () => {
  const client = await served()
  const good = 'const beforeTransaction = async ({ centsAmount }) => centsAmount <= 50000\n'
  expect((await client.call('POST', saved, { code: good })).warnings).toBeUndefined()
  const long = misspelt.padEnd(maxLintedLength + 1, '/')
  expect((await client.call('POST', saved, { code: long })).warnings).toBeUndefined()
})

test('hundreds of findings become twenty warnings', async () => {
  const client = await served()
  const code = Array.from({ length: 300 }, (_, index) => `unknown${index}()`).join('\n')
  expect(linted((await client.call('POST', saved, { code })).warnings)).toHaveLength(20)
})

test('a sandbox without a server lints nothing', async () => {
  const client = await Client.of(sandboxAt())
  expect((await client.call('POST', saved, { code: misspelt })).warnings).toBeUndefined()
})
