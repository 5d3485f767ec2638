import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { sandboxAt } from '../../test/client.js'
import { banner, readyLine, stoppedLine, stoppedText, type PageHint } from './banner.js'
import { fixtures } from '../household/fixtures.js'

const url = 'http://127.0.0.1:3300'

test('the banner shows everything that is needed to begin, and no card number or CVV', () => {
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

test('the banner says where the page is, and how it is opened, unless there is none', () => {
  const rowOf = (hint?: PageHint) =>
    banner(sandboxAt().main, url, hint)
      .split('\n')
      .find((line) => line.startsWith('  page '))
  expect(rowOf()).toBe(`  page           ${url}/_sandbox/`)
  expect(rowOf('key')).toBe(`  page           ${url}/_sandbox/  (o opens it)`)
  expect(rowOf('none')).toBeUndefined()
})

test('a shell reads the command of the banner as intended', () => {
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

test('the last line names what was stored, and where', () => {
  expect(stoppedText(undefined, 1)).toBe(
    'sandbox-server: stopped. Nothing is kept; --state FILE keeps the bank for the next start.',
  )
  expect(stoppedText('/tmp/a\u001bb.json', 1)).toBe(
    'sandbox-server: stopped. The bank is kept in /tmp/a\\u001bb.json.',
  )
  expect(stoppedText('bank.json', 3)).toContain('The bank with 3 workspaces is kept in bank.json.')
  expect(JSON.parse(stoppedLine(undefined, 1))).toEqual({ event: 'stopped', state: null, workspaces: 1 })
})
