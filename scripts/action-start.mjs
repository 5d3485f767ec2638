// The last step of action.yml: starts the bank that is installed in a folder, on a free port, waits until it is ready, and
// exports the variables. The bank keeps running when this process ends.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, openSync, readFileSync, watch, writeFileSync } from 'node:fs'
import path from 'node:path'

const { ARGS = '', GITHUB_ENV, GITHUB_OUTPUT } = process.env
const folder = path.resolve(process.argv[2])
const log = path.join(folder, 'bank.log')
const command = path.join(folder, 'node_modules/sandbox-server/dist/command/cli.js')
const args = ['start', '--port', '0', '--json', ...ARGS.split(/\s+/).filter((each) => each !== '')]

writeFileSync(log, '')
const output = openSync(log, 'a')
const watching = new AbortController()
const bank = spawn(process.execPath, [command, ...args], {
  detached: true,
  stdio: ['ignore', output, output],
})
const ended = once(bank, 'exit', { signal: watching.signal }).then(([code]) => {
  throw new Error(`The bank ended with ${code} before it was ready:\n${readFileSync(log, 'utf8')}`)
})
const ready = await Promise.race([readyLine(), ended])
watching.abort()
bank.unref()

const variables = {
  SANDBOX_URL: ready.url,
  SANDBOX_CLIENT_ID: ready.clientId,
  SANDBOX_CLIENT_SECRET: ready.clientSecret,
  SANDBOX_API_KEY: ready.apiKey,
}
const lines = (entries) =>
  Object.entries(entries)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
appendFileSync(GITHUB_ENV, lines(variables))
appendFileSync(GITHUB_OUTPUT, lines({ url: ready.url, log, pid: bank.pid }))
console.log(`The bank listens on ${ready.url}; its log is ${log}.`)

/** The line that the bank prints when it accepts requests. */
async function readyLine() {
  const changes = watch(log)
  try {
    for (;;) {
      const line = readFileSync(log, 'utf8')
        .split('\n')
        .slice(0, -1)
        .find((each) => each.includes('"event":"ready"'))
      if (line) return JSON.parse(line)
      await once(changes, 'change')
    }
  } finally {
    changes.close()
  }
}
