// The entry point of the container image: `sandbox-server start`, always with a control token, because every caller
// from outside the container has another address. `--check` asks the running bank for its health.

import { randomBytes } from 'node:crypto'
import { pathToFileURL } from 'node:url'

if (process.argv.includes('--check')) {
  const { SANDBOX_PORT: port = '3300', SANDBOX_CONTROL_TOKEN: token } = process.env
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  const response = await fetch(`http://127.0.0.1:${port}/_sandbox/health`, { headers })
  process.exitCode = response.ok ? 0 : 1
} else {
  const isOff = ['1', 'true', 'yes'].includes(process.env.SANDBOX_NO_CONTROL?.toLowerCase())
  if (
    !process.env.SANDBOX_CONTROL_TOKEN &&
    !isOff &&
    !process.argv.some((each) => /^--(no-control|control-token)/.test(each))
  ) {
    process.env.SANDBOX_CONTROL_TOKEN = randomBytes(24).toString('base64url')
    // On stderr, so that the first line on stdout is the one of `--json`.
    console.error(`Control token, generated for this start: ${process.env.SANDBOX_CONTROL_TOKEN}`)
  }
  const command = new URL(
    'node_modules/sandbox-server/dist/command/cli.js',
    pathToFileURL(`${process.cwd()}/`),
  )
  await import(command.href)
}
