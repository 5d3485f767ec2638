import { expect, test } from '@jest/globals'
import { Clock } from '../determinism/clock.js'
import { Random } from '../determinism/random.js'
import { Credentials, maxTokens, type ClientRecord } from './credentials.js'

const apiKey = { key: 'key', alias: 'Key', accounts: 'all', permissions: ['accounts'] } as const
const clientOf = (clientId: string): ClientRecord => ({ clientId, clientSecret: 's', apiKeys: [apiKey] })
const time = { clock: Clock.frozenAt(Date.parse('2026-03-25T08:00:00Z')), random: new Random(1) }

test('of one client the newest thousand tokens are valid, also while the clock stands still', () => {
  const [busy, quiet] = [clientOf('busy'), clientOf('quiet')]
  const credentials = new Credentials([busy, quiet])
  const issue = (client: ClientRecord) => credentials.issue(client, apiKey, ['accounts'], time).token
  const own = issue(quiet)
  const tokens = Array.from({ length: maxTokens + 5 }, () => issue(busy))
  expect(tokens.filter((token) => credentials.grant(token))).toEqual(tokens.slice(5))
  expect(credentials.grant(own)?.clientId).toBe('quiet')
  expect(credentials.state.grants).toHaveLength(maxTokens + 1)

  const copy = new Credentials([])
  copy.restore(credentials.state)
  issueAgain(copy, busy)
  expect(copy.state.grants).toHaveLength(maxTokens + 1)
  expect(copy.grant(tokens[5]!)).toBeUndefined()
  expect(copy.grant(tokens[6]!)?.token).toBe(tokens[6])
})

const issueAgain = (credentials: Credentials, client: ClientRecord) =>
  credentials.issue(client, apiKey, ['accounts'], time)

test('a token whose key is gone frees its place', () => {
  const credentials = new Credentials([clientOf('busy')])
  for (let i = 0; i < maxTokens; i++) issueAgain(credentials, clientOf('busy'))
  credentials.setClient({ ...clientOf('busy'), apiKeys: [] })
  expect(credentials.state.grants).toEqual([])
})
