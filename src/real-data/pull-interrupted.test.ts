// A pull that is interrupted, or cannot write: what stays on the disk, and how the next one continues.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { between, credentials, folder, options } from '../../test/pulled-service.js'
import { pullScenario } from './pull-scenario.js'

test('an interruption is one sentence that says what was stored; values of variables and refusals are not stored', async () => {
  const out = join(folder, 'interrupted.yaml')
  const controller = new AbortController()
  const proxy = await between((request, response) => {
    if (request.url!.endsWith('/accounts/beneficiaries')) {
      response.writeHead(403).end()
      return true
    }
    if (!request.url!.endsWith('/cards/countries') || controller.signal.aborted) return false
    controller.abort()
    return true
  })
  const given = options({ url: proxy.url, out, signal: controller.signal })
  await expect(pullScenario(given)).rejects.toMatchObject({
    exitCode: 130,
    message: expect.stringMatching(
      /^Interrupted; \d+ answers are kept in .*interrupted\.yaml\.partial \(real data, readable by you alone\), and the same command goes on from there\.$/,
    ),
  })
  const kept = readFileSync(`${out}.partial`, 'utf8')
  expect([existsSync(out), kept.includes('API_TOKEN'), kept.includes('/accounts/beneficiaries"')]).toEqual([
    false,
    false,
    false,
  ])
  const { cards, missing } = await pullScenario(options({ url: proxy.url, out, signal: undefined }))
  expect([cards, missing.length]).toEqual([4, 1])
  await proxy.close()
})

test('an interruption ends it at once, also while it waits for its rate limit or for a busy service', async () => {
  const controller = new AbortController()
  const waiting: string[] = []
  const proxy = await between((request, response) => {
    if (request.method !== 'GET') return false
    response.writeHead(429, { 'retry-after': '100' }).end()
    return true
  })
  const onProgress = (text: string): void => {
    waiting.push(text)
    if (text.includes('waiting')) controller.abort()
  }
  const given = options({
    url: proxy.url,
    out: join(folder, 'busy.yaml'),
    signal: controller.signal,
    onProgress,
  })
  await expect(pullScenario(given)).rejects.toMatchObject({ exitCode: 130, message: 'Interrupted.' })
  expect(waiting.at(-1)).toBe('the service answered 429: waiting 100 s')
  expect(existsSync(join(folder, 'busy.yaml.partial'))).toBe(false)
  await proxy.close()
})

test('an existing file is kept unless it is forced', async () => {
  const out = join(folder, 'kept.yaml')
  writeFileSync(out, 'mine')
  let asked = 0
  const proxy = await between(() => {
    asked++
    return false
  })
  await expect(pullScenario(options({ url: proxy.url, out }))).rejects.toThrow('exists; --force replaces it')
  await proxy.close()
  expect([readFileSync(out, 'utf8'), asked]).toEqual(['mine', 0])
  await pullScenario(options({ out, force: true }))
  expect(readFileSync(out, 'utf8')).toContain('name: kept')
})

test('an interrupted pull leaves no scenario, and the next one continues where it stopped', async () => {
  const out = join(folder, 'resumed.yaml')
  let asked: string[] = []
  let isBroken = true
  const proxy = await between((request, response) => {
    asked.push(request.url!)
    if (!isBroken || !request.url!.startsWith('/za/v1/cards')) return false
    response.destroy()
    return true
  })
  await expect(pullScenario(options({ url: proxy.url, out }))).rejects.toThrow('cannot be reached')
  expect(existsSync(out)).toBe(false)
  expect(statSync(`${out}.partial`).mode & 0o777).toBe(0o600)
  isBroken = false
  asked = []
  await pullScenario(options({ url: proxy.url, out }))
  expect(asked.filter((url) => url.startsWith('/za/pb/v1/accounts'))).toEqual([])
  expect(existsSync(`${out}.partial`)).toBe(false)
  await proxy.close()
})

test('data that another client has read is neither continued nor replaced', async () => {
  const out = join(folder, 'shared.yaml')
  let asked = 0
  let isBroken = true
  const proxy = await between((request, response) => {
    asked++
    if (!isBroken || !request.url!.startsWith('/za/v1/cards')) return false
    response.destroy()
    return true
  })
  await expect(pullScenario(options({ url: proxy.url, out }))).rejects.toThrow('cannot be reached')
  const kept = readFileSync(`${out}.partial`, 'utf8')
  expect(kept).not.toContain(credentials.clientId)
  asked = 0
  const other = { ...credentials, clientId: 'another-client' }
  await expect(pullScenario(options({ url: proxy.url, out, credentials: other }))).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/shared\.yaml\.partial holds answers that another client has read; /),
  })
  expect([asked, readFileSync(`${out}.partial`, 'utf8')]).toEqual([0, kept])
  isBroken = false
  await pullScenario(options({ url: proxy.url, out }))
  expect(existsSync(`${out}.partial`)).toBe(false)
  await proxy.close()
})

test('a file that cannot be written leaves no half of a scenario', async () => {
  const out = join(folder, 'full.yaml')
  mkdirSync(join(folder, '.full.yaml.writing'))
  await expect(pullScenario(options({ out }))).rejects.toThrow('full.yaml cannot be written')
  for (const left of [out, join(folder, 'full.data.json'), join(folder, '.full.data.json.writing')])
    expect([left, existsSync(left)]).toEqual([left, false])
})

test('with --force the former files stay unchanged when a new one cannot be written', async () => {
  const out = join(folder, 'former.yaml')
  writeFileSync(out, 'scenario')
  writeFileSync(join(folder, 'former.data.json'), 'data')
  mkdirSync(join(folder, '.former.yaml.writing'))
  await expect(pullScenario(options({ out, force: true }))).rejects.toThrow('former.yaml cannot be written')
  expect(readFileSync(out, 'utf8') + readFileSync(join(folder, 'former.data.json'), 'utf8')).toBe(
    'scenariodata',
  )
})
