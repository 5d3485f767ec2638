import { networkInterfaces } from 'node:os'
import { expect, test } from '@jest/globals'
import { isOwnAddress, isThisMachine, kindOf } from './addresses.js'
import { type OutboundPolicy, guardedLookup, refuseAddress, refuseUrl } from './policy.js'

const refused = (url: string, policy: OutboundPolicy): boolean =>
  refuseUrl(new URL(url), policy) !== undefined

test.each([
  '169.254.169.254',
  '169.254.0.1',
  '2852039166',
  '0xa9fea9fe',
  '0xA9.0xFE.0xA9.0xFE',
  '0251.0376.0251.0376',
  '169.254.43518',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::a9fe:a9fe]',
  '[0:0:0:0:0:ffff:a9fe:a9fe]',
  '[64:ff9b::169.254.169.254]',
  '[2002:a9fe:a9fe::]',
  '[fe80::1]',
  '[febf::1]',
  '[fd00:ec2::254]',
  '[fd00:42::42]',
  '[fd00:a9fe:a9fe::1]',
  '[fd20:ce::254]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[::ffff:0:a9fe:a9fe]',
  '168.63.129.16',
  '192.0.0.192',
  '100.100.100.200',
  'metadata.google.internal',
  'METADATA.google.internal.',
  'metadata',
  '１６９.254.169.254',
])('allow refuses metadata and link-local addresses however they are written: %s', (host) => {
  expect(refused(`http://${host}/latest`, 'allow')).toBe(true)
})

test.each([
  'example.com',
  '127.0.0.1',
  '[::1]',
  '10.0.0.1',
  '169.253.1.1',
  '[2001:db8::1]',
  '[::ffff:8.8.8.8]',
])('allow accepts everything else: %s', (host) => expect(refused(`http://${host}/`, 'allow')).toBe(false))

test('loopback is this machine and nothing else', () => {
  for (const host of ['127.0.0.1', '127.9.9.9', '[::1]', '[::ffff:127.0.0.1]', '2130706433', 'localhost']) {
    expect(refused(`http://${host}/`, 'loopback')).toBe(false)
  }
  for (const host of ['10.0.0.1', '[2001:db8::1]', '0.0.0.0', '128.0.0.1']) {
    expect(refused(`http://${host}/`, 'loopback')).toBe(true)
  }
  expect(refuseAddress('93.184.216.34', 'loopback')).toBeDefined()
})

test('deny refuses everything', () => {
  expect(refused('http://127.0.0.1/', 'deny')).toBe(true)
  expect(refuseAddress('127.0.0.1', 'deny')).toBeDefined()
})

test.each([
  ['http://api.example.com/', true],
  ['https://API.EXAMPLE.COM/', true],
  ['http://example.com/', false],
  ['http://a.wild.test/', true],
  ['http://a.b.wild.test/', true],
  ['http://wild.test/', false],
  ['http://evilwild.test/', false],
  ['http://api.example.com.evil.test/', false],
  ['http://port.test:8080/', true],
  ['http://port.test/', false],
  ['https://secure.test/', true],
  ['http://secure.test/', false],
  ['http://[::1]:99/', true],
  ['http://[::1]/', false],
  ['http://169.254.169.254/', true],
])('a list of hosts is matched exactly: %s', (url, allowed) => {
  const hosts = [
    'api.example.com',
    '*.wild.test',
    'port.test:8080',
    'secure.test:443',
    '[::1]:99',
    '169.254.169.254',
  ]
  expect(refused(url, { hosts })).toBe(!allowed)
})

test('a listed name that resolves to a metadata address is refused', () => {
  const policy = { hosts: ['rebound.test'] }
  expect(refused('http://rebound.test/', policy)).toBe(false)
  expect(refuseAddress('169.254.169.254', policy)).toContain('metadata')
  expect(refuseAddress('::ffff:169.254.169.254', policy)).toContain('metadata')
})

test.each([
  ['8.8.8.8', 'public'],
  ['2606:4700::1111', 'public'],
  ['::ffff:8.8.8.8', 'public'],
  ['2002:808:808::', 'public'],
  ['64:ff9b::808:808', 'public'],
  ['127.8.8.8', 'loopback'],
  ['::1', 'loopback'],
  ['2002:7f00:1::', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['::', 'unspecified'],
  ['::ffff:0.0.0.0', 'unspecified'],
  ['::ffff:0:0', 'unspecified'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd12:3456::1', 'private'],
  ['fec0::1', 'private'],
  ['224.0.0.1', 'private'],
  ['255.255.255.255', 'private'],
  ['::ffff:192.168.1.1', 'private'],
  ['64:ff9b::a00:1', 'private'],
  ['fe80::1%eth0', 'metadata'],
])('%s leads to a %s address', (address, kind) => expect(kindOf(address)).toBe(kind))

test.each(['[::ffff:0.0.0.0]', '[::ffff:0:0]', '[::]', '0.0.0.0', '0', '[::1]', 'a.LOCALHOST.'])(
  'the host %s is this machine',
  (host) => expect(isThisMachine(new URL(`http://${host}/`).hostname)).toBe(true),
)

test('public is the network without this machine and private networks', () => {
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  expect(own.map(({ address }) => isOwnAddress(address))).toEqual(own.map(() => true))
  const literal = own
    .filter(({ address }) => !address.includes('%') && !address.startsWith('fe80'))
    .map(({ address }) => (address.includes(':') ? `[${address}]` : address))
  for (const host of [
    ...literal,
    '127.0.0.1',
    '[::1]',
    '0.0.0.0',
    '10.0.0.1',
    '192.168.0.1',
    '[fd00::1]',
    '169.254.1.1',
  ])
    expect([host, refused(`http://${host}/`, 'public')]).toEqual([host, true])
  for (const host of ['8.8.8.8', '[2606:4700::1111]', 'api.example.com'])
    expect(refused(`http://${host}/`, 'public')).toBe(false)
  expect(refuseAddress('192.168.0.1', 'public')).toContain('private network')
})

test('a name is judged by what it resolves to', async () => {
  const look = (policy: OutboundPolicy, all: boolean): Promise<unknown> =>
    new Promise((resolve, reject) =>
      guardedLookup(policy)('localhost', { all }, (error, found) =>
        error === null ? resolve(found) : reject(error),
      ),
    )
  for (const policy of ['loopback', 'allow'] as const)
    await expect(look(policy, true)).rejects.toMatchObject({
      addresses: expect.arrayContaining([expect.objectContaining({ family: 4 })]),
    })
  for (const policy of ['deny', 'public'] as const)
    await expect(look(policy, true)).rejects.toMatchObject({ code: 'ERR_OUTBOUND_POLICY' })
})
