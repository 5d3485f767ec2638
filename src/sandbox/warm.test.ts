import { setImmediate } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { Client, sandboxAt } from '../../test/client.js'

/** How often a sandbox loads the runner of card code after a call about a card's code. */
async function warmed(listens: boolean): Promise<number> {
  const sandbox = sandboxAt()
  if (listens) sandbox.listensAt.add({ address: '127.0.0.1', port: 1 })
  let asked = 0
  sandbox.runner = () => {
    asked++
    return Promise.reject(new Error('not in this test'))
  }
  const client = await Client.of(sandbox)
  await client.get('/za/v1/cards/700615/code')
  await client.get('/za/v1/cards/700615/code')
  await setImmediate()
  await sandbox.close()
  return asked
}

test('a server loads card code in the background, once, at the first call about it', async () => {
  expect(await warmed(true)).toBe(1)
})

test('a sandbox in the process of a test does nothing in the background', async () => {
  expect(await warmed(false)).toBe(0)
})
