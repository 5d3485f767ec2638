import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { sandboxAt } from '../../test/client.js'
import { banner, readyLine, requestJson, requestText } from './banner.js'
import { fixtures } from '../household/fixtures.js'

const url = 'http://127.0.0.1:3300'

test('the banner shows all that is needed to begin, and no card number or CVV', () => {
  const text = banner(sandboxAt().main, url)
  for (const part of [url, 'sandbox-client', 'sandbox-secret', 'sandbox-api-key', 'sandbox-readonly-key'])
    expect(text).toContain(part)
  expect(text).toMatch(/seed +1\n/)
  expect(text).toMatch(/scenario +default\n/)
  expect(text).toMatch(/clock +2026-03-25T08:00:00\.000Z +\(stands still\)/)
  for (const { accountId, accountNumber } of fixtures().accounts) {
    expect(text).toContain(accountId)
    expect(text).toContain(accountNumber)
  }
  for (const { cardKey, pan } of fixtures().cards) {
    expect(text).toContain(cardKey)
    expect(text).toContain(`${pan.slice(0, 6)}XXXXXX${pan.slice(-4)}`)
    expect(text).not.toContain(pan)
  }
})

test('the command of the banner is one that a shell reads as it is meant', () => {
  const line = banner(sandboxAt().main, url)
    .split('\n')
    .find((each) => each.trim().startsWith('curl'))!
  const shown = execFileSync('sh', ['-c', line.replace('curl', "printf '%s\\n'")], { encoding: 'utf8' })
  expect(shown.trim().split('\n')).toEqual([
    '-s',
    '-u',
    'sandbox-client:sandbox-secret',
    '-H',
    'x-api-key: sandbox-api-key',
    '-d',
    'grant_type=client_credentials&scope=accounts',
    `${url}/identity/v2/oauth2/token`,
  ])
})

test('the ready line is one line of JSON', () => {
  const line = readyLine(sandboxAt().main, url)
  expect(line).not.toContain('\n')
  expect(JSON.parse(line)).toEqual({
    event: 'ready',
    url,
    clientId: 'sandbox-client',
    clientSecret: 'sandbox-secret',
    apiKey: 'sandbox-api-key',
  })
})

test('a request is one line, whatever its path holds', () => {
  const line = { method: 'GET', path: `/\u001b[31m\r\n\u{1f600}${'a'.repeat(9999)}`, status: 404, ms: 1.26 }
  expect(requestText(line)).toMatch(/^404 GET {2}\/\\u001b\[31m\\u000d\n\u{1f600}a{280,300}… {2}1\.3 ms$/u)
  expect(requestJson(line)).not.toMatch(/[\n\r\u001b]/)
  expect(JSON.parse(requestJson(line))).toEqual({ event: 'request', ...line, ms: 1.3 })
})
