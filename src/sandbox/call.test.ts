import { afterAll, expect, test } from '@jest/globals'
import type { Call } from '../protocol/call.js'
import { Sandbox } from './sandbox.js'

const sandbox = new Sandbox()
afterAll(() => sandbox.close())

test.each([
  [{ workspace: 1 }, ['/workspace']],
  [{ workspace: null }, ['/workspace']],
  [{ workspace: [1] }, ['/workspace']],
  [{ workspace: {}, page: 2 }, ['/workspace', '/page']],
])('a query %j that is not a text is refused with every error', async (query, paths) => {
  for (const path of ['/_sandbox/journal', '/za/pb/v1/accounts']) {
    const reply = await sandbox.handle({ method: 'GET', path, query } as unknown as Call)
    expect(reply.status).toBe(400)
    expect(JSON.parse(String(reply.body))).toMatchObject({
      errors: paths.map((each) => ({ path: each, message: 'must be a text or a list of texts' })),
    })
  }
})
