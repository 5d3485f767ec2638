// Run by CI after the package was installed into an empty folder: starts `npx sandbox-server --port 0 --json` there under
// the Node that runs this file, signs in, reads the accounts, and sees it stop cleanly.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import assert from 'node:assert/strict'

const folder = process.argv[2]
// npx would start the first `node` in PATH: put the one that runs this file there.
const path = `${process.execPath.replace(/\/node$/, '')}:${process.env.PATH}`
const child = spawn('npx', ['sandbox-server', '--port', '0', '--json', '--now', '2026-03-15T08:00:00Z'], {
  cwd: folder,
  env: { ...process.env, PATH: path },
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
})
const failure = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 60_000)

const [line] = await once(createInterface(child.stdout), 'line')
const ready = JSON.parse(line)
assert.equal(ready.event, 'ready')
const token = await fetch(`${ready.url}/identity/v2/oauth2/token`, {
  method: 'POST',
  headers: {
    authorization: `Basic ${Buffer.from(`${ready.clientId}:${ready.clientSecret}`).toString('base64')}`,
    'x-api-key': ready.apiKey,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: 'grant_type=client_credentials&scope=accounts',
}).then((response) => response.json())
const get = async (path) => {
  const response = await fetch(`${ready.url}/za/pb/v1/accounts${path}`, {
    headers: { authorization: `Bearer ${token.access_token}` },
  })
  assert.equal(response.status, 200)
  return (await response.json()).data
}
const { accounts } = await get('')
assert.equal(accounts.length, 5)
const rows = createHash('sha256')
for (const { accountId } of accounts)
  rows.update(JSON.stringify(await get(`/${accountId}/transactions?fromDate=2020-01-01&includePending=true`)))

process.kill(-child.pid, 'SIGTERM')
const [code, signal] = await once(child, 'exit')
assert.ok(code === 0 || signal === 'SIGTERM', `ended with ${code ?? signal}`)
clearTimeout(failure)
// The last line is the same under every Node: CI compares it.
console.log(`Node ${process.version}: ready, signed in, stopped; rows ${rows.digest('hex')}`)
