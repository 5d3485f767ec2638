// Run by CI after the package was installed into an empty folder: starts `npx sandbox-server --port 0 --json` there under
// the Node that runs this file, signs in, reads the accounts, and sees it stop cleanly.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import assert from 'node:assert/strict'

const folder = process.argv[2]
// npx would start whatever `node` comes first in PATH: put the one that runs this file there.
const path = `${process.execPath.replace(/\/node$/, '')}:${process.env.PATH}`
const child = spawn('npx', ['sandbox-server', '--port', '0', '--json'], {
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
const response = await fetch(`${ready.url}/za/pb/v1/accounts`, {
  headers: { authorization: `Bearer ${token.access_token}` },
})
const { data } = await response.json()
assert.equal(response.status, 200)
assert.equal(data.accounts.length, 5)

process.kill(-child.pid, 'SIGTERM')
const [code, signal] = await once(child, 'exit')
assert.ok(code === 0 || signal === 'SIGTERM', `ended with ${code ?? signal}`)
clearTimeout(failure)
console.log(`Node ${process.version}: ready, signed in, ${data.accounts.length} accounts, stopped`)
