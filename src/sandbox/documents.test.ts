import { afterAll, expect, test } from '@jest/globals'
import { behaviours } from '../protocol/behaviour.js'
import { version } from '../protocol/version.js'
import { openApiDocumentOf } from './documents.js'
import { liveDocument } from './live-documents.js'
import { Sandbox } from './sandbox.js'

const cases = (['service', 'control'] as const).flatMap((api) =>
  behaviours.map((behaviour) => [api, behaviour] as const),
)
const sandbox = new Sandbox()
afterAll(() => sandbox.close())

test.each(cases)('the built document of the %s API, %s, is up to date', async (api, behaviour) => {
  const built = await openApiDocumentOf(api, behaviour)
  expect(built).toEqual(JSON.parse(JSON.stringify(await liveDocument(api, behaviour))))
  expect(built).toMatchObject({ openapi: '3.1.0', info: { version: version() } })
})

test.each([
  ['/_sandbox/openapi.json', 'service'],
  ['/_sandbox/control.json', 'control'],
] as const)('%s says where the sandbox is, and how it behaves', async (path, api) => {
  for (const behaviour of behaviours) {
    await sandbox.handle({ method: 'PUT', path: '/_sandbox/settings', body: { behaviour } })
    for (const origin of ['http://127.0.0.1:4000', 'https://bank.example']) {
      const { status, body } = await sandbox.handle({ method: 'GET', path, origin })
      expect(status).toBe(200)
      expect(JSON.parse(String(body))).toEqual({
        ...(await openApiDocumentOf(api, behaviour)),
        servers: [{ url: origin }],
      })
    }
  }
})
