// A team's bank: several replicas answer as one process would, and lose nothing that was acknowledged.

import { afterEach, expect } from '@jest/globals'
import { everyday, savings, standardSignIn } from './client.js'
import { ask, Fleet, signedIn, type Asked } from './team-replicas.js'
import { describeStore, test } from './team-store.js'

const accounts = '/za/pb/v1/accounts'
const fleets: Fleet[] = []

async function fleetOf(...given: Parameters<typeof Fleet.of>): Promise<Fleet> {
  const fleet = await Fleet.of(...given)
  fleets.push(fleet)
  return fleet
}

afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.close()
})

const transfer = (url: string, headers: Record<string, string>, reference: string): Promise<Asked> =>
  ask(
    url,
    'POST',
    `${accounts}/${everyday}/transfermultiple`,
    {
      transferList: [
        { beneficiaryAccountId: savings, amount: '1.00', myReference: reference, theirReference: 'x' },
      ],
    },
    headers,
  )

const balance = async (url: string, headers: Record<string, string>): Promise<number> =>
  (await ask(url, 'GET', `${accounts}/${savings}/balance`, undefined, headers)).json.data.currentBalance

describeStore('replicas', () => {
  test('answer every call, whichever of them has the workspace', async () => {
    const fleet = await fleetOf(3)
    const made = await ask(fleet.url(0), 'POST', '/_sandbox/workspaces', { name: 'alpha' })
    expect(made.json).toMatchObject({ name: 'alpha', controlToken: expect.stringMatching(/^[0-9a-f]{32}$/) })
    const headers = await signedIn(fleet.url(1), made.json)
    const main = await signedIn(fleet.url(2))
    const [before, mainBefore] = [await balance(fleet.url(0), headers), await balance(fleet.url(1), main)]
    for (let at = 0; at < 6; at++) {
      expect((await transfer(fleet.url(at), headers, `t${at}`)).status).toBe(200)
      expect(await balance(fleet.url(at + 1), headers)).toBeCloseTo(before + at + 1, 2)
    }
    expect(await balance(fleet.url(0), main)).toBe(mainBefore)
    expect(fleet.holdings.flat().sort()).toEqual(['alpha', 'default'])
    const { json } = await ask(fleet.url(2), 'GET', '/_sandbox/workspaces')
    expect(json.workspaces.map(({ name }: { name: string }) => name)).toEqual(['default', 'alpha'])
  })

  test('show links with the address that the client asked, and one journal', async () => {
    const fleet = await fleetOf(2)
    const headers = await signedIn(fleet.url(0))
    for (const at of [0, 1]) {
      const { json } = await ask(fleet.url(at), 'GET', `${accounts}/${savings}/balance`, undefined, headers)
      expect(json.links.self).toBe(`${fleet.url(at)}${accounts}/${savings}/balance`)
    }
    const { json } = await ask(fleet.url(1), 'GET', '/_sandbox/requests')
    expect(json.requests.map(({ id, path }: { id: number; path: string }) => [id, path])).toEqual([
      [1, '/identity/v2/oauth2/token'],
      [2, `${accounts}/${savings}/balance`],
      [3, `${accounts}/${savings}/balance`],
    ])
  })

  test('break connections as a fault says, also through another replica', async () => {
    const fleet = await fleetOf(2)
    const headers = await signedIn(fleet.url(0))
    const fault = { match: { path: '**/balance' }, fault: { kind: 'reset' }, times: 2 }
    expect((await ask(fleet.url(1), 'POST', '/_sandbox/faults', fault)).status).toBe(200)
    for (const at of [0, 1]) await expect(balance(fleet.url(at), headers)).rejects.toThrow('fetch failed')
    for (const at of [0, 1]) expect(await balance(fleet.url(at), headers)).toBeGreaterThan(0)
  })

  test('send events of a workspace to a client of another replica', async () => {
    const fleet = await fleetOf(2)
    const headers = await signedIn(fleet.url(0))
    const at = fleet.holdings.findIndex((names) => names.includes('default'))
    const ended = new AbortController()
    const response = await fetch(`${fleet.url(at + 1)}/_sandbox/events?types=entry`, { signal: ended.signal })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('event: hello')) text += (await reader.read()).value ?? ''
    await transfer(fleet.url(0), headers, 'told')
    while (!text.includes('event: entry')) text += (await reader.read()).value ?? ''
    expect(text).toMatch(/"description":"told|"cents":100/)
    ended.abort()
  })

  test('tell of workspaces that are made and removed through others', async () => {
    const fleet = await fleetOf(3)
    const made = await ask(fleet.url(0), 'POST', '/_sandbox/workspaces', { name: 'alpha' })
    // The listener's workspace is at one replica, the main one at another.
    const listening = await signedIn(fleet.url(1), made.json)
    await signedIn(fleet.url(2))
    expect(fleet.holdings.filter((names) => names.length > 0)).toHaveLength(2)
    const ended = new AbortController()
    const address = `${fleet.url(0)}/_sandbox/events?types=workspace&workspace=alpha`
    const response = await fetch(address, { signal: ended.signal })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('event: hello')) text += (await reader.read()).value ?? ''
    await ask(fleet.url(2), 'POST', '/_sandbox/workspaces', { name: 'beta' })
    while (!text.includes('"change":"made"')) text += (await reader.read()).value ?? ''
    await ask(fleet.url(0), 'DELETE', '/_sandbox/workspaces/beta')
    while (!text.includes('"change":"removed"')) text += (await reader.read()).value ?? ''
    expect(text.match(/"name":"beta"/g)).toHaveLength(2)
    expect(await balance(fleet.url(0), listening)).toBeGreaterThan(0)
    ended.abort()
  })

  test('show the time of the main workspace in refusals that concern none', async () => {
    const fleet = await fleetOf(2)
    await ask(fleet.url(0), 'POST', '/_sandbox/clock', { set: '2030-01-02T03:04:05Z', freeze: true })
    for (const at of [0, 1]) {
      const headers = { origin: 'http://elsewhere.example' }
      let refused
      do refused = await ask(fleet.url(at), 'GET', '/_sandbox/clock', undefined, headers)
      while (refused.headers.get('date') !== 'Wed, 02 Jan 2030 03:04:05 GMT')
      expect(refused.headers.get('sandbox-problem')).toBe('origin-refused')
    }
  })

  test('give a workspace of a replica that died to another, with all that was acknowledged', async () => {
    const fleet = await fleetOf(2)
    const headers = await signedIn(fleet.url(0))
    const before = await balance(fleet.url(0), headers)
    for (let each = 0; each < 5; each++) await transfer(fleet.url(0), headers, `t${each}`)
    const owner = fleet.holdings.findIndex((names) => names.includes('default'))
    // Its lease ends at once, as after three seconds of silence.
    const { Postgres } = await import('../src/team/postgres.js')
    const postgres = await Postgres.open(fleet.store)
    await postgres.run(`update $schema.replica set is_fenced = true where address = $1`, fleet.url(owner))
    expect(await balance(fleet.url(owner + 1), headers)).toBeCloseTo(before + 5, 2)
    // The former owner does not know yet: what it is asked to write is refused, or handed on.
    const late = await transfer(fleet.url(owner), headers, 'late')
    const after = await balance(fleet.url(owner + 1), headers)
    expect([500, 200]).toContain(late.status)
    expect(after).toBeCloseTo(before + (late.status === 200 ? 6 : 5), 2)
    await postgres.close()
  })

  test('hand everything over when one of them leaves', async () => {
    const fleet = await fleetOf(2)
    const headers = await signedIn(fleet.url(0))
    const before = await balance(fleet.url(0), headers)
    await transfer(fleet.url(0), headers, 'a')
    const owner = fleet.holdings.findIndex((names) => names.includes('default'))
    const [leaving] = fleet.replicas.splice(owner, 1)
    await leaving!.close()
    expect(await balance(fleet.url(0), headers)).toBeCloseTo(before + 1, 2)
    expect(fleet.holdings).toEqual([['default']])
  })

  test('hand on the calls that come while one of them leaves, also to one that knew it as the owner', async () => {
    const fleet = await fleetOf(2)
    const headers = await signedIn(fleet.url(0))
    const before = await balance(fleet.url(1), headers)
    const owner = fleet.holdings.findIndex((names) => names.includes('default'))
    expect(await balance(fleet.url(owner + 1), headers)).toBe(before)
    const [leaving] = fleet.replicas.splice(owner, 1)
    const closing = leaving!.close()
    while (leaving!.team.holdings.all.length > 0) await new Promise((resolve) => setImmediate(resolve))
    expect((await transfer(leaving!.url, headers, 'late')).status).toBe(200)
    expect((await ask(leaving!.url, 'GET', '/readyz')).status).toBe(503)
    await closing
    expect(await balance(fleet.url(0), headers)).toBeCloseTo(before + 1, 2)
  })

  test('load a workspace again that its owner had to drop', async () => {
    const fleet = await fleetOf(2)
    const headers = await signedIn(fleet.url(0))
    const before = await balance(fleet.url(1), headers)
    const owner = fleet.holdings.findIndex((names) => names.includes('default'))
    for (const owned of fleet.replicas[owner]!.team.holdings.all) owned.die()
    expect(await balance(fleet.url(owner + 1), headers)).toBe(before)
  })

  test('delete a workspace everywhere, and make another one of its name', async () => {
    const fleet = await fleetOf(2)
    const first = await ask(fleet.url(0), 'POST', '/_sandbox/workspaces', { name: 'alpha' })
    const headers = await signedIn(fleet.url(0), first.json)
    await transfer(fleet.url(1), headers, 'a')
    expect((await ask(fleet.url(1), 'DELETE', '/_sandbox/workspaces/alpha')).json).toEqual({
      removed: 'alpha',
    })
    for (const at of [0, 1]) {
      expect((await ask(fleet.url(at), 'GET', '/_sandbox/workspaces/alpha')).status).toBe(404)
      expect((await ask(fleet.url(at), 'GET', accounts, undefined, headers)).status).toBe(401)
    }
    const again = await ask(fleet.url(1), 'POST', '/_sandbox/workspaces', { name: 'alpha' })
    expect(again.json.controlToken).not.toBe(first.json.controlToken)
    const fresh = await signedIn(fleet.url(1), again.json)
    for (const at of [0, 1])
      expect((await ask(fleet.url(at), 'GET', accounts, undefined, fresh)).status).toBe(200)
  })

  test('refuse names that are taken, and give free ones', async () => {
    const fleet = await fleetOf(2)
    const make = (at: number, body: object) => ask(fleet.url(at), 'POST', '/_sandbox/workspaces', body)
    expect((await make(0, { name: 'alpha' })).status).toBe(200)
    expect((await make(1, { name: 'alpha' })).status).toBe(409)
    const names = await Promise.all([0, 1, 0, 1].map(async (at) => (await make(at, {})).json.name as string))
    expect(new Set(names).size).toBe(4)
  })

  test('give back what nobody uses', async () => {
    const fleet = await fleetOf(1, { idleMs: 0 })
    const headers = await signedIn(fleet.url(0))
    const before = await balance(fleet.url(0), headers)
    await transfer(fleet.url(0), headers, 'a')
    const { holdings } = fleet.replicas[0]!.team
    for (const owned of holdings.all) await holdings.release(owned)
    expect(fleet.holdings).toEqual([[]])
    expect(await balance(fleet.url(0), headers)).toBeCloseTo(before + 1, 2)
  })

  test('answer probes by any name, and metrics', async () => {
    const fleet = await fleetOf(1)
    expect((await ask(fleet.url(0), 'GET', '/livez')).text).toBe('ok\n')
    expect((await ask(fleet.url(0), 'GET', '/readyz')).text).toBe('ready\n')
    const { text } = await ask(fleet.url(0), 'GET', '/metrics')
    expect(text).toContain('# TYPE sandbox_commit_seconds histogram')
    for (const line of [
      /^sandbox_ready 1$/m,
      /^sandbox_ownership_total\{change="lost"\} 0$/m,
      /^process_cpu_/m,
    ])
      expect(text).toMatch(line)
    expect(
      (await ask(fleet.url(0), 'GET', '/metrics', undefined, { authorization: 'Bearer no' })).status,
    ).toBe(401)
  })
})

describeStore('control tokens', () => {
  test('open one workspace and nothing else', async () => {
    const fleet = await fleetOf(2, { http: { controlToken: 'the-servers-token' } })
    const [alpha, beta] = await Promise.all(
      ['alpha', 'beta'].map((name) => ask(fleet.url(0), 'POST', '/_sandbox/workspaces', { name })),
    )
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    const status = async (at: number, method: string, path: string, token: string) =>
      (
        await ask(
          fleet.url(at),
          method,
          `/_sandbox/${path}`,
          method === 'POST' ? {} : undefined,
          bearer(token),
        )
      ).status
    const own = alpha!.json.controlToken as string
    for (const at of [0, 1]) {
      expect(await status(at, 'GET', 'state?workspace=alpha', own)).toBe(200)
      expect(await status(at, 'POST', 'reset?workspace=alpha', own)).toBe(200)
      for (const [method, path] of [
        ['GET', 'state?workspace=beta'],
        ['GET', 'state'],
        ['GET', 'state?workspace=alpha&workspace=beta'],
        ['POST', 'reset'],
        ['GET', 'workspaces'],
        ['POST', 'workspaces'],
        ['GET', 'workspaces/beta'],
        ['DELETE', 'workspaces/beta'],
        ['DELETE', 'workspaces/be%74a'],
      ] as const)
        expect([path, await status(at, method, path, own)]).toEqual([path, 401])
      expect(await status(at, 'GET', 'state?workspace=alpha', beta!.json.controlToken)).toBe(401)
      expect(await status(at, 'GET', 'state?workspace=alpha', 'guessed-token')).toBe(401)
      expect(await status(at, 'GET', 'workspaces', 'the-servers-token')).toBe(200)
    }
    expect(await status(1, 'DELETE', 'workspaces/alpha', own)).toBe(200)
    expect((await ask(fleet.url(0), 'GET', '/_sandbox/workspaces')).text).not.toContain(own)
  })

  test('are not needed to hand calls over, but the secret of the replicas is', async () => {
    const fleet = await fleetOf(1)
    const body = Buffer.from([0, 0, 0, 2, 123, 125]).toString('latin1')
    const asked = await ask(fleet.url(0), 'POST', '/_sandbox/cluster/call', body, {
      'x-sandbox-cluster': 'guess',
    })
    expect(asked.status).toBe(401)
  })
})

describeStore('clients', () => {
  test('find their workspace by client id, also one that was named by hand', async () => {
    const fleet = await fleetOf(2)
    const { json } = await ask(fleet.url(0), 'POST', '/_sandbox/workspaces', { name: 'alpha' })
    const secret = { clientSecret: 'another-secret' }
    await ask(fleet.url(1), 'POST', '/_sandbox/client/secret?workspace=alpha', secret)
    await signedIn(fleet.url(0), { ...json, ...secret })
    await expect(signedIn(fleet.url(1), json)).rejects.toThrow('no token')
    await signedIn(fleet.url(1), standardSignIn)
  })
})
