// Starts the measured servers as separate processes: the sandbox as the command starts it, and a bare Express app.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const root = new URL('..', import.meta.url).pathname

/** A child process whose first line of output is JSON with its `url`. */
export async function start(file, args = [], env = {}) {
  const started = performance.now()
  const child = spawn(process.execPath, [root + file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  const ready = JSON.parse(line)
  return {
    ...ready,
    pid: child.pid,
    started,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

export const startSandbox = (...args) =>
  start('dist/command/cli.js', ['--port', '0', '--json', '--quiet', '--now', '2026-03-15T08:00:00Z', ...args])

/** The bare servers that answer the JSON of a file to every request: `node:http` alone, and Express. */
export const startBareNode = (bodyFile) => start('bench/bare-node.mjs', [bodyFile])
export const startBareExpress = (bodyFile) => start('bench/bare-express.mjs', [bodyFile])

/** A token of the default client, by `fetch` or its replacement. */
export async function tokenOf({ url, clientId, clientSecret, apiKey }, send = fetch) {
  const response = await send(`${url}/identity/v2/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'x-api-key': apiKey,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials&scope=accounts',
  })
  return (await response.json()).access_token
}
