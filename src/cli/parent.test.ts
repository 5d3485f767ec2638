import { expect, test } from '@jest/globals'
import { isWaitedFor } from './parent.js'

test.each([
  "'sandbox-server'",
  'sandbox-server',
  'sandbox-server --port 3400',
  'SANDBOX_PORT=3400 sandbox-server --quiet',
  'sandbox-server --json > bank.log 2>&1',
  'sandbox-server exec -- npm run build && npm test',
])('the shell of npm waits for the bank of %j', (script) => {
  expect(isWaitedFor({ npm_lifecycle_script: script })).toBe(true)
})

test.each([
  undefined,
  '',
  'sandbox-server &',
  'sandbox-server --quiet > bank.log 2>&1 & node wait.js',
  'sandbox-server-other',
  'nohup sandbox-server',
  'pm2 start sandbox-server',
  'bash start-bank.sh',
])('no shell is known to wait for the bank of %j', (script) => {
  expect(isWaitedFor({ npm_lifecycle_script: script })).toBe(false)
})
