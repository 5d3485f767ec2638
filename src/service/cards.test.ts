import { constants, createHash, generateKeyPairSync, privateDecrypt, webcrypto } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { readonlyKey, standardSignIn } from '../../test/ids.js'
import { businessCard, card, CardHolder, plainCard } from '../../test/card-holder.js'
import { Client, everyday, sandboxAt } from '../../test/client.js'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = publicKey.export({ format: 'jwk' })
const hex = (base64url: string): string => Buffer.from(base64url, 'base64url').toString('hex')
const key = { modulus: hex(jwk.n!), exponent: hex(jwk.e!) }

test('the list holds every card of the accounts that the key may access', async () => {
  const holder = await CardHolder.of()
  const { status, json } = await holder.get('')
  expect(status).toBe(200)
  expect(json.links).toEqual({ self: null })
  expect(json.data.cards).toHaveLength(4)
  expect(json.data.cards[0]).toEqual({
    CardKey: card,
    CardNumber: '402167XXXXXX1118',
    IsProgrammable: true,
    Status: 'Active',
    CardTypeCode: 'VGC',
    AccountNumber: '10011234567',
    AccountId: everyday,
    EmbossedName: 'MRS T NAIDOO',
    IsVirtualCard: false,
  })
})

test('one card: no detail that only its holder may read', async () => {
  const holder = await CardHolder.of()
  const { json } = await holder.get(`/${businessCard}`)
  expect(json.data.result).toEqual({
    CardKeyHash: createHash('sha256').update(businessCard).digest('hex'),
    MaskedCardNumber: '402261XXXXXX0017',
    EmbossName: 'NAIDOO INTERIORS',
    EmbossName2: 'T NAIDOO',
    Status: 'Active',
    AccountNumber: '10019876543',
    IsVirtualCard: false,
    ExtendedDetails: null,
  })
})

test("extended=true encrypts number, expiry and CVV2 with the client's key, for Node and for WebCrypto", async () => {
  const holder = await CardHolder.of()
  const body = { keyId: '1', identifier: 'x', appName: 'test', ...key }
  const { json } = await holder.post(`/${card}?extended=true`, body)
  const details = json.data.result.ExtendedDetails as Record<string, string>
  const read = (name: string) => privateDecrypt(privateKey, Buffer.from(details[name]!, 'base64')).toString()
  expect([read('CardNumber'), read('ExpiryDate'), read('CVV2')]).toEqual([
    '4021670012341118',
    '2029-08',
    '417',
  ])
  const { subtle } = webcrypto
  const imported = await subtle.importKey(
    'jwk',
    privateKey.export({ format: 'jwk' }),
    { name: 'RSA-OAEP', hash: 'SHA-1' },
    false,
    ['decrypt'],
  )
  const cvv = await subtle.decrypt({ name: 'RSA-OAEP' }, imported, Buffer.from(details.CVV2!, 'base64'))
  expect(Buffer.from(cvv).toString()).toBe('417')
})

test.each([0, 1, '1', 'a'])('keyId %j is a number or a text, in strict too', async (keyId) => {
  const holder = await CardHolder.of()
  await holder.client.control('PUT', 'settings', { strict: true })
  const body = { keyId, identifier: 'x', appName: 'test', ...key }
  const { status, json } = await holder.post(`/${card}?extended=true`, body)
  expect(status).toBe(200)
  expect(json.data.result.ExtendedDetails).toHaveProperty('CVV2')
  expect((await holder.client.control('GET', 'requests')).json.requests.at(-1).warnings).toEqual([])
})

test('the same seed encrypts to the same bytes, two texts never to one', async () => {
  const ask = async () => {
    const holder = await CardHolder.of()
    const first = await holder.post(`/${card}?extended=true`, key)
    const second = await holder.post(`/${card}?extended=true`, key)
    return [first.body, second.body]
  }
  const [one, two] = await Promise.all([ask(), ask()])
  expect(one).toEqual(two)
  expect(one[0]).not.toBe(one[1])
})

test('a modulus is accepted with leading zeros, colons, spaces, 0x, and in either case', async () => {
  const holder = await CardHolder.of()
  const colons = key.modulus.match(/../g)!.join(':').toUpperCase()
  for (const modulus of [
    `00${key.modulus}`,
    `0x${key.modulus}`,
    colons,
    key.modulus.replace(/(.{64})/g, '$1 '),
  ]) {
    const { status, json } = await holder.post(`/${card}?extended=true`, { modulus, exponent: '0x10001' })
    expect(status).toBe(200)
    const bytes = Buffer.from(json.data.result.ExtendedDetails.CVV2 as string, 'base64')
    expect(
      privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING }, bytes).toString(),
    ).toBe('417')
  }
})

test('without extended=true nothing is encrypted, with extended=false neither', async () => {
  const holder = await CardHolder.of()
  for (const path of [`/${card}`, `/${card}?extended=false`]) {
    const { json } = await holder.post(path, key)
    expect(json.data.result.ExtendedDetails).toBeNull()
  }
})

test.each([
  ['no hexadecimal', { modulus: 'zz', exponent: '010001' }, ['/modulus']],
  ['nothing', { modulus: '', exponent: '' }, ['/modulus', '/exponent']],
  ['zero', { modulus: '00', exponent: '0' }, ['/modulus', '/exponent']],
  ['an even modulus', { modulus: `${'c'.repeat(511)}2`, exponent: '010001' }, ['/modulus']],
  ['a key too short to hide anything', { modulus: 'c5'.repeat(64 - 1), exponent: '010001' }, ['/modulus']],
  ['a key that takes minutes', { modulus: 'c5'.repeat(1500), exponent: '010001' }, ['/modulus']],
  ['an exponent of 1', { modulus: key.modulus, exponent: '01' }, ['/exponent']],
  ['an even exponent', { modulus: key.modulus, exponent: '010002' }, ['/exponent']],
  ['a giant exponent', { modulus: key.modulus, exponent: 'ffffffffffffffff' }, ['/exponent']],
  ['numbers', { modulus: 5, exponent: 3 }, ['/modulus', '/exponent']],
  ['no key', {}, ['/modulus', '/exponent']],
])('a key that is %s is a 400', async (_, body, paths) => {
  const holder = await CardHolder.of()
  const { status, json } = await holder.post(`/${card}?extended=true`, body)
  expect(status).toBe(400)
  expect(json.errors.map(({ path }: { path: string }) => path)).toEqual(paths)
})

test('an odd modulus that is not a product of two primes still gets an answer', async () => {
  const holder = await CardHolder.of()
  const { status } = await holder.post(`/${card}?extended=true`, {
    modulus: 'ff'.repeat(256),
    exponent: '03',
  })
  expect(status).toBe(200)
})

test('a virtual card on a current account is listed, programmable, and can be used for purchases', async () => {
  const holder = await CardHolder.of()
  const body = { AccountNumber: '10011234567', EmbossName: 'MISS L NAIDOO' }
  const made = await holder.post('', body)
  expect(made.status).toBe(200)
  const { CardKey, ...rest } = made.json.data.result as { CardKey: string }
  expect(rest).toEqual({ IsVirtualCard: true, EmbossName: 'MISS L NAIDOO', EmbossName2: '' })
  expect(CardKey).toMatch(/^[1-9]\d{6}$/)
  const { json } = await holder.get('')
  const listed = (json.data.cards as { CardKey: string; CardNumber: string }[]).at(-1)!
  expect(listed).toMatchObject({
    CardKey,
    IsProgrammable: true,
    IsVirtualCard: true,
    Status: 'Active',
    AccountId: everyday,
    CardTypeCode: 'VVG',
  })
  const details = await holder.post(`/${CardKey}?extended=true`, key)
  const encrypted = details.json.data.result.ExtendedDetails as Record<string, string>
  const read = (name: string) =>
    privateDecrypt(privateKey, Buffer.from(encrypted[name]!, 'base64')).toString()
  expect(luhn(read('CardNumber'))).toBe(true)
  expect(read('CardNumber')).toMatch(new RegExp(`^402167\\d{6}${listed.CardNumber.slice(-4)}$`))
  expect(read('ExpiryDate')).toBe('2029-03')
  const code = await holder.get(`/${CardKey}/code`)
  expect(code.json.data.result.code).toContain('beforeTransaction')
  const bought = await holder.buy({ centsAmount: 100 }, CardKey)
  expect(bought.json.decision).toBe('approved')
})

const luhn = (digits: string): boolean =>
  Array.from(digits)
    .reverse()
    .map((digit, i) => Number(digit) * (i % 2 === 0 ? 1 : 2))
    .map((value) => (value > 9 ? value - 9 : value))
    .reduce((sum, value) => sum + value, 0) %
    10 ===
  0

test.each([
  ['an account number of nobody', { AccountNumber: '99999999999', EmbossName: 'X' }, ['/AccountNumber']],
  ['a savings account', { AccountNumber: '1100123456789', EmbossName: 'X' }, ['/AccountNumber']],
  ['no name', { AccountNumber: '10011234567', EmbossName: '  ' }, ['/EmbossName']],
  ['a name too long', { AccountNumber: '10011234567', EmbossName: 'X'.repeat(27) }, ['/EmbossName']],
  ['nothing', {}, ['/AccountNumber', '/EmbossName']],
  ['a field too many', { AccountNumber: '10011234567', EmbossName: 'X', Limit: 5 }, ['/Limit']],
])('a virtual card with %s is a 400 and creates no card', async (_, body, paths) => {
  const holder = await CardHolder.of({ strict: true })
  const { status, json } = await holder.post('', body)
  expect(status).toBe(400)
  expect(json.errors.map(({ path }: { path: string }) => path)).toEqual(paths)
  expect((await holder.get('')).json.data.cards).toHaveLength(4)
})

test('a thousand virtual cards have a thousand keys and numbers', async () => {
  const holder = await CardHolder.of()
  for (let i = 0; i < 1000; i++) await holder.post('', { AccountNumber: '10011234567', EmbossName: `N ${i}` })
  const { json } = await holder.get('')
  const cards = json.data.cards as { CardKey: string }[]
  expect(new Set(cards.map(({ CardKey }) => CardKey)).size).toBe(1004)
})

const everyEndpoint = [
  ['GET', ''],
  ['POST', ''],
  ['GET', '/code'],
  ['GET', '/publishedcode'],
  ['POST', '/code'],
  ['POST', '/publish'],
  ['POST', '/code/execute'],
  ['POST', '/execute'],
  ['GET', '/code/executions'],
  ['GET', '/environmentvariables'],
  ['POST', '/environmentvariables'],
  ['POST', '/toggle-programmable-feature'],
] as const

const fitting: Record<string, object> = {
  '': key,
  '/code': { code: '' },
  '/publish': { codeid: 'x', code: '' },
  '/code/execute': { simulationcode: '' },
  '/execute': { simulationcode: '' },
  '/environmentvariables': {},
  '/toggle-programmable-feature': { Enabled: true },
}

test.each(everyEndpoint)('%s of %s: a card that does not exist is a 400', async (method, path) => {
  const holder = await CardHolder.of()
  for (const unknown of ['1', '__proto__', 'constructor', '%00', '9'.repeat(500), '700615.0', ' 700615']) {
    const at = `/${encodeURIComponent(unknown)}${path}`
    const { status, json } = await (method === 'GET' ? holder.get(at) : holder.post(at, fitting[path]!))
    expect([status, json.type]).toEqual([400, 'urn:sandbox-server:problem:unknown-card'])
  }
})

test.each(everyEndpoint)('%s of %s: a token without the permission is a 401', async (method, path) => {
  const sandbox = sandboxAt()
  const readOnly = {
    ...standardSignIn,
    apiKey: readonlyKey,
  }
  const holder = CardHolder.with(await Client.of(sandbox, readOnly))
  const at = `/${card}${path}`
  const { status, json } = await (method === 'GET' ? holder.get(at) : holder.post(at, fitting[path]!))
  expect([status, json.type]).toEqual([401, 'urn:sandbox-server:problem:missing-permission'])
})

test.each(everyEndpoint)(
  "%s of %s: a card of an account that is not the key's is a 401",
  async (method, path) => {
    const sandbox = sandboxAt()
    const client = sandbox.main.credentials.client(standardSignIn.clientId)!
    const apiKeys = client.apiKeys.map((each) => ({ ...each, accounts: [everyday] }))
    sandbox.main.credentials.setClient({ ...client, apiKeys })
    const holder = CardHolder.with(await Client.of(sandbox))
    const at = `/${businessCard}${path}`
    const { status, json } = await (method === 'GET' ? holder.get(at) : holder.post(at, fitting[path]!))
    expect([status, json.type]).toEqual([401, 'urn:sandbox-server:problem:account-refused'])
    expect((await holder.get('')).json.data.cards).toHaveLength(3)
  },
)

test.each(everyEndpoint.slice(2))(
  '%s of %s: a card that is not programmable is a 400',
  async (method, path) => {
    const holder = await CardHolder.of()
    const at = `/${plainCard}${path}`
    const { status, json } = await (method === 'GET' ? holder.get(at) : holder.post(at, fitting[path]!))
    expect([status, json.type]).toEqual([400, 'urn:sandbox-server:problem:not-programmable'])
  },
)

test('the reference lists take precedence over a card of that name', async () => {
  const holder = await CardHolder.of()
  for (const name of ['countries', 'currencies', 'merchants']) {
    expect((await holder.get(`/${name}`)).json.data.result.length).toBeGreaterThan(20)
    expect((await holder.post(`/${name}`, key)).status).toBe(405)
  }
})
