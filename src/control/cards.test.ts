import { expect, test } from '@jest/globals'
import { card, CardHolder, otherCard, plainCard } from '../../test/card-holder.js'
import type { Execution } from '../bank/cards/card-records.js'

const rule = (holder: CardHolder, method: string, body?: object, cardKey = card) =>
  holder.client.control(method, `cards/${cardKey}/rule`, body)

const decides = async (holder: CardHolder, body: object): Promise<string> => {
  const { json } = await holder.buy(body)
  for (const { Error: error } of json.executions as Execution[]) expect(error).toBeNull()
  return json.reason as string
}

test('a transaction limit approves up to its amount, in rand whatever the currency', async () => {
  const holder = await CardHolder.of()
  const { status, json } = await rule(holder, 'PUT', { rule: 'transaction-limit', centsAmount: 50_000 })
  expect([status, json]).toEqual([200, { rule: { rule: 'transaction-limit', centsAmount: 50_000 } }])
  expect(await decides(holder, { centsAmount: 50_000 })).toBe('approved')
  expect(await decides(holder, { centsAmount: 50_001 })).toBe('declined-by-code')
  expect(await decides(holder, { centsAmount: 2_777, currencyCode: 'USD' })).toBe('approved')
  expect(await decides(holder, { centsAmount: 2_778, currencyCode: 'USD' })).toBe('declined-by-code')
})

test('one merchant: by name, in any letter case', async () => {
  const holder = await CardHolder.of()
  await rule(holder, 'PUT', { rule: 'merchant', merchantName: 'Corner "Bakery" \\ 🥐' })
  const merchant = (name: string) => ({ centsAmount: 100, merchant: { name } })
  expect(await decides(holder, merchant(' CORNER "bakery" \\ 🥐 '))).toBe('approved')
  expect(await decides(holder, merchant('Corner'))).toBe('declined-by-code')
  expect(await decides(holder, { centsAmount: 100 })).toBe('declined-by-code')
})

test('one merchant category: with or without leading zeros', async () => {
  const holder = await CardHolder.of()
  const { json } = await rule(holder, 'PUT', { rule: 'merchant-category', categoryCode: '742' })
  expect(json.rule).toEqual({ rule: 'merchant-category', categoryCode: '0742' })
  expect(await decides(holder, { centsAmount: 1, merchant: { categoryCode: 742 } })).toBe('approved')
  expect(await decides(holder, { centsAmount: 1, merchant: { categoryCode: 5462 } })).toBe('declined-by-code')
})

test('a category can be given as a number', async () => {
  const holder = await CardHolder.of()
  const { status, json } = await rule(holder, 'PUT', { rule: 'merchant-category', categoryCode: 742 })
  expect([status, json.rule]).toEqual([200, { rule: 'merchant-category', categoryCode: '0742' }])
})

test.each([
  { rule: 'transaction-limit', centsAmount: 0 },
  { rule: 'merchant', merchantName: 'A' },
  { rule: 'merchant-category', categoryCode: '742' },
])('with any rule, a refund is approved: %j', async (body) => {
  const holder = await CardHolder.of()
  await rule(holder, 'PUT', body)
  const { json } = await holder.buy({ type: 'refund', centsAmount: 100 })
  expect([json.reason, json.executions]).toEqual(['approved', []])
  expect(await decides(holder, { centsAmount: 100 })).toBe('declined-by-code')
  await holder.publish('const beforeTransaction = async () => false; const afterDecline = async () => {}')
  expect(await decides(holder, { type: 'refund', centsAmount: 100 })).toBe('declined-by-code')
})

test('a rule replaces and publishes code and variables, and switches the card on', async () => {
  const holder = await CardHolder.of()
  const mine = await holder.publish('// mine')
  await holder.post(`/${card}/environmentvariables`, { variables: { MINE: '1' } })
  await holder.post(`/${card}/toggle-programmable-feature`, { Enabled: false })
  await rule(holder, 'PUT', { rule: 'merchant', merchantName: 'A' })
  const published = (await holder.get(`/${card}/publishedcode`)).json.data.result as { code: string }
  expect(published.code).toContain('process.env.RULE_MERCHANT')
  expect((await holder.get(`/${card}/code`)).json.data.result).toEqual(published)
  const variables = async () =>
    (await holder.get(`/${card}/environmentvariables`)).json.data.result.variables as object
  expect(await variables()).toEqual({ RULE_MERCHANT: 'A' })
  expect(await decides(holder, { centsAmount: 1 })).toBe('declined-by-code')
  await rule(holder, 'PUT', { rule: 'transaction-limit', centsAmount: 5 })
  expect(Object.keys(await variables())).toEqual(['RULE_LIMIT_CENTS', 'RULE_RATES'])
  expect((await rule(holder, 'GET')).json).toEqual({ rule: { rule: 'transaction-limit', centsAmount: 5 } })
  const { status } = await holder.post(`/${card}/publish`, { codeid: mine, code: '' })
  expect(status).toBe(200)
})

test('code or variables of the client end a rule', async () => {
  const holder = await CardHolder.of()
  for (const end of [
    () => holder.publish('// mine'),
    () => holder.post(`/${card}/environmentvariables`, { variables: {} }),
  ]) {
    await rule(holder, 'PUT', { rule: 'transaction-limit', centsAmount: 5 })
    await end()
    expect((await rule(holder, 'GET')).json).toEqual({ rule: null })
  }
})

test('without its rule the card has no code, and a card without a rule keeps its own', async () => {
  const holder = await CardHolder.of()
  const template = (await holder.get(`/${card}/code`)).json.data.result.code as string
  await rule(holder, 'PUT', { rule: 'transaction-limit', centsAmount: 5 })
  expect((await rule(holder, 'DELETE')).json).toEqual({ rule: null })
  expect((await holder.get(`/${card}/publishedcode`)).status).toBe(400)
  expect((await holder.get(`/${card}/code`)).json.data.result.code).toBe(template)
  expect(await decides(holder, { centsAmount: 6 })).toBe('approved')
  await holder.publish(
    'const beforeTransaction = async () => false; const afterDecline = async () => {}',
    otherCard,
  )
  await rule(holder, 'DELETE', undefined, otherCard)
  expect((await holder.buy({ centsAmount: 1 }, otherCard)).json.reason).toBe('declined-by-code')
})

test.each([
  [{}, ['/rule']],
  [{ rule: 'curfew' }, ['/rule']],
  [{ rule: 'merchant' }, ['/merchantName']],
  [{ rule: 'merchant', merchantName: '' }, ['/merchantName']],
  [{ rule: 'merchant', merchantName: ' \t ' }, ['/merchantName']],
  [{ rule: 'merchant-category', categoryCode: '9999' }, ['/categoryCode']],
  [{ rule: 'merchant-category', categoryCode: 0 }, ['/categoryCode']],
  [{ rule: 'merchant-category', categoryCode: 10_000 }, ['/categoryCode']],
  [{ rule: 'transaction-limit', centsAmount: '5' }, ['/centsAmount']],
  [{ rule: 'transaction-limit', centsAmount: -1 }, ['/centsAmount']],
  [{ rule: 'transaction-limit', centsAmount: 5, categoryCode: '1' }, ['/categoryCode']],
  [{ rule: 'merchant-category', categoryCode: 'x', limit: 5 }, ['/limit', '/categoryCode']],
  [{ rule: 'merchant-category', merchantName: 'x' }, ['/merchantName', '/categoryCode']],
])('the rule %j is refused and names %j', async (body, paths) => {
  const holder = await CardHolder.of()
  const { status, json } = await rule(holder, 'PUT', body)
  expect(status).toBe(400)
  expect(json.errors.map(({ path }: { path: string }) => path)).toEqual(paths)
  expect((await rule(holder, 'GET')).json).toEqual({ rule: null })
})

test('cards without code have no rule, and neither have unknown cards', async () => {
  const holder = await CardHolder.of()
  for (const method of ['GET', 'PUT', 'DELETE'])
    for (const [cardKey, type] of [
      [plainCard, 'not-programmable'],
      ['1', 'unknown-card'],
    ]) {
      const body = method === 'PUT' ? { rule: 'transaction-limit', centsAmount: 5 } : undefined
      const { status, json } = await rule(holder, method, body, cardKey)
      expect([status, json.type]).toEqual([400, `urn:sandbox-server:problem:${type!}`])
    }
})

test.each([{}, { status: '' }, { status: 5 }, { status: '<b>' }, { status: 'Blocked', why: 1 }])(
  'the status %j is refused',
  async (body) => {
    const holder = await CardHolder.of()
    expect((await holder.client.control('PUT', `cards/${card}/status`, body)).status).toBe(400)
  },
)
