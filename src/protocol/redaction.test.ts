import { expect, test } from '@jest/globals'
import { endpoints } from '../sandbox/endpoints.js'
import { Sandbox } from '../sandbox/sandbox.js'
import { isSecretName, shownAddress, shownBody, shownHeader } from './redaction.js'
import type { Schema } from './schema.js'

test.each([
  ...[
    'access_token',
    'refreshToken',
    'ID-Token',
    'client_secret',
    'clientSecret',
    'Client%5FSecret',
    'apikey',
  ],
  ...[
    'api_key',
    'X-API-Key',
    'key',
    'KEY',
    'token',
    'auth',
    'x-auth',
    'authorization',
    'Proxy-Authorization',
  ],
  ...[
    'authToken',
    'password',
    'passwd',
    'pass',
    'db_pass',
    'passphrase',
    'pwd',
    'credentials',
    'X-Signature',
  ],
  ...['client_assertion', 'assertion', 'pin', 'PIN', 'card-pin', 'userPin', 'otp', 'sms_otp', 'x-otp'],
  ...['cvv', 'CVV2', 'cvc', 'card.cvv', 'x-hmac', 'X-Hmac-SHA256', 'oneTimePin'],
  ...['sig', 'jwt', 'Cookie', 'set-cookie', 'secret', '%61pi_key', 'ap%69key%', 'client[secret]'],
])('%p is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true)
})

test.each([
  ...['CardKey', 'cardkey', 'cardKey', 'authorizationApproved', 'AuthorisationRequired', 'authoriserAName'],
  ...['client_assertion_type', 'shipping', 'mapping', 'opinion', 'spin', 'pinned', 'option', 'optional'],
  ...['numberOfAuthorisationRequired', 'grant_type', 'scope', 'token_type', 'tokenType', 'postedOrder'],
  ...[
    'authPeriodId',
    'www-authenticate',
    'author',
    'keyword',
    'passport',
    'bypass',
    'signed',
    'design',
    'client_id',
    '',
  ],
])('%p is not', (name) => {
  expect(isSecretName(name)).toBe(false)
})

test('of all fields of the service, the token, the client secret and CVV2 are secret', () => {
  const names = new Set<string>()
  const collect = (schema: Schema | undefined): void => {
    for (const [name, member] of Object.entries(schema?.properties ?? {})) {
      names.add(name)
      collect(member)
    }
    if (schema?.items) collect(schema.items)
  }
  for (const { path, query, body, form, response } of endpoints)
    if (!path.startsWith('/_sandbox')) for (const each of [query, body, form, response]) collect(each)
  expect(names.size).toBeGreaterThan(100)
  expect([...names].filter(isSecretName)).toEqual(['client_secret', 'access_token', 'CVV2'])
})

test.each([
  ['/x', '/x'],
  ['/x?a=1&b', '/x?a=1&b'],
  ['/x?a=1&client_secret=s3&b=2', '/x?a=1&client_secret=***&b=2'],
  ['/x?ApiKey=s3%26&%61pi_key=s3', '/x?ApiKey=***&%61pi_key=***'],
  ['/x?access_token=s3=s3?s3', '/x?access_token=***'],
  ['/x?to=/y?token=s3', '/x?to=/y?token=***'],
  ['https://user:s3@a.example/y', 'https://***@a.example/y'],
  ['/x?to=https://user:s3@a.example/y', '/x?to=https://***@a.example/y'],
  ['/x;pin=s3/y', '/x;pin=***/y'],
  ['https://a.example/y#access_token=s3&x=1', 'https://a.example/y#access_token=***&x=1'],
])('the address %p is shown as %p', (address, shown) => {
  expect(shownAddress(address)).toBe(shown)
})

test.each([
  ['authorization', 'Basic czM=', 'Basic ***'],
  ['Authorization', 's3 s3', '***'],
  ['x-api-key', 's3', '***'],
  ['Referer', 'http://a.example/?code=1&apikey=s3', 'http://a.example/?code=1&apikey=***'],
  ['www-authenticate', 'Bearer error="invalid_token"', 'Bearer error="invalid_token"'],
  ['access-control-allow-credentials', 'true', 'true'],
  ['accept', 'text/html;q=0.8', 'text/html;q=0.8'],
])('the header %p: %p is shown as %p', (name, value, shown) => {
  expect(shownHeader(name, value)).toBe(shown)
})

test.each([
  ['{"Client-Secret" : "a\\"b", "x":1}', '{"Client-Secret" : "***", "x":1}'],
  ['{"\\u0070assword":"s3"}', '{"\\u0070assword":"***"}'],
  ['{"pwd":12345,"token":null,"secret":true}', '{"pwd":"***","token":null,"secret":true}'],
  ['{"secret":{"a":["s3",{"b":"s3"}]},"c":"d"}', '{"secret":{"a":["***",{"b":"***"}]},"c":"d"}'],
  ['{"variables":{"LIMIT":500,"ON":true,"NAME":"s3"},"x":"y"}', '{"variables":{"LIMIT":"***","ON":"***","NAME":"***"},"x":"y"}'],
  ['{"a":{"variables":{"K":"s3","L":"cut s3\\', '{"a":{"variables":{"K":"***","L":"***"'],
  ['{"access_token":"cut s3…', '{"access_token":"***"'],
  ['{"links":{"self":"http://localhost/x?apikey=s3&a=1"}}', '{"links":{"self":"http://localhost/x?apikey=***&a=1"}}'],
  ['[{"cardKey":"700615"},"token"]', '[{"cardKey":"700615"},"token"]'],
  ['scope=accounts&client%5Fsecret=s3 "s3&x=', 'scope=accounts&client%5Fsecret=***&x='],
  ['data={"secret":"s3"}', 'data={"secret":"***"}'],
  ['Why? no=body', 'Why? no=body'],
  ['}]"', '}]"'],
  ['', ''],
])('the body %p is shown as %p', (body, shown) => {
  expect(shownBody(body)).toBe(shown)
}) // prettier-ignore

test('a body of any shape is scanned once', () => {
  for (const part of ['"', '\\', '{"a":', '"token":"', '=', '?', '%', '"\\'])
    expect(shownBody(`{${part.repeat(8192)}`).length).toBeGreaterThan(0)
})

test.each([
  ['/x;token=s3/y;a=b', '/x;token=***/y;a=b'],
  ['/x?x=1;client_secret=s3', '/x?x=1;client_secret=***'],
  ['/x?bearer=s3&session=s3', '/x?bearer=***&session=***'],
  ['/x?a=%3Faccess_token%3Ds3', '/x?a=***'],
  ['/x?a=%3Fb%3Dc', '/x?a=%3Fb%3Dc'],
  ['/_sandbox/api-keys/s3', '/_sandbox/api-keys/***'],
  ['//_sandbox//api-keys//s3?x=1', '//_sandbox//api-keys//***?x=1'],
  ['/_sandbox/api-keys', '/_sandbox/api-keys'],
])('a secret is found elsewhere in an address: %p is shown as %p', (address, shown) => {
  expect(shownAddress(address)).toBe(shown)
})

test.each([
  ['Autorization', 'Basic czM=', 'Basic ***'],
  ['Authorizaton', 'bearer s3', 'bearer ***'],
  ['X-Session', 's3', '***'],
  ['X-Note', 'basically nothing', 'basically nothing'],
])('the misspelt header %p: %p is shown as %p', (name, value, shown) => {
  expect(shownHeader(name, value)).toBe(shown)
})

test.each([
  ["{'client_secret': 's3', 'a': 'b'}", "{'client_secret': '***', 'a': 'b'}"],
  ['{client_secret: s3, a: b}', '{client_secret: ***, a: b}'],
  ['client_secret: s3', 'client_secret: ***'],
  ['"{\\"client_secret\\":\\"s3\\"}"', '"{\\"client_secret\\":\\"***\\"}"'],
  ['<a><client_secret>s3</client_secret></a>', '<a><client_secret>***</client_secret></a>'],
  [
    '--b\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\ns3\r\n--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n--b--',
    '--b\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\n***\r\n--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n--b--',
  ],
])('the odd body %p is shown as %p', (body, shown) => {
  expect(shownBody(body)).toBe(shown)
})

test('a secret is found after a long text, and after many words', () => {
  for (const before of [
    'a'.repeat(8000),
    'a.'.repeat(4000),
    'a '.repeat(4000),
    '\\'.repeat(8000),
    'name="'.repeat(1300),
  ]) {
    expect(shownBody(`${before} client_secret: s3`)).toBe(`${before} client_secret: ***`)
    expect(shownAddress(`/x?${before}&client_secret=s3`)).toBe(`/x?${before}&client_secret=***`)
  }
})

test('nested addresses are read up to a maximum depth', () => {
  for (const part of ['a=?', '?a=', '=?', '=#', '%3F', 'a=%3F', ';a=', 'a=?token=s3&'])
    for (const text of [`/x?${part.repeat(5000)}`, part.repeat(5000)]) {
      expect(shownAddress(text)).not.toContain('s3')
      expect(shownBody(text)).not.toContain('s3')
    }
})

test('a secret is masked wherever it is: address within JSON, JSON within text, names in any spelling', () => {
  for (const body of [
    '{"url":"https://user:s3cr3t@a.example/"}',
    '{"client_assertion":"s3cr3t"}',
    '{"text":"{\\"otp\\":\\"s3cr3t\\"}"}',
    'client_assertion=s3cr3t&pin=s3cr3t',
    '{"card":{"cvv":"s3cr3t","pin":["s3cr3t"]}}',
  ])
    expect(shownBody(body)).not.toContain('s3cr3t')
  expect(shownHeader('x-hmac', 's3cr3t')).toBe('***')
})

test('the journal and the events mask the path as the log does', async () => {
  const sandbox = new Sandbox()
  const events = sandbox.main.events.listen(['call'])
  await events.next()
  await sandbox.handle({ method: 'GET', path: '/za/pb/v1/accounts;token=s3cr3t/x?otp=s3cr3t#pin=s3cr3t' })
  const { body } = await sandbox.handle({ method: 'GET', path: '/_sandbox/requests' })
  expect(body).not.toContain('s3cr3t')
  expect((await events.next()).value).not.toContain('s3cr3t')
  await sandbox.close()
})
