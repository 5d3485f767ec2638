#!/usr/bin/env node
// argv and environment → options → start. No logic of its own.

import { banner, readyLine, requestJson, requestText } from './banner.js'
import { flags, readArguments, startOptions, UsageError } from './cli-options.js'
import { Sandbox } from './sandbox.js'
import { fixtures } from './scenario/fixtures.js'
import { listen } from './server.js'
import { version } from './version.js'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

function help(): string {
  const rows = Object.entries(flags).map(
    ([name, { value, text }]) => `  ${`--${name} ${value}`.padEnd(22)} ${text}`,
  )
  return [
    'sandbox-server [start] [flags]: a bank that runs on your machine',
    '',
    ...rows,
    '',
    'Each flag can also be set in the environment: SANDBOX_PORT, SANDBOX_ALLOW_HOST and so on.',
  ].join('\n')
}

async function main(): Promise<void> {
  const { values } = readArguments(process.argv.slice(2))
  if (values.help === true || values.version === true) {
    print(values.help === true ? help() : version())
    return
  }
  const options = startOptions(values, process.env)
  const sandbox = new Sandbox(options)
  const { quiet, json } = options
  const line = json ? requestJson : requestText
  const listening = await listen(sandbox, {
    ...options,
    ...(!quiet && { onRequest: (each) => print(line(each)) }),
  })
  print(json ? readyLine(sandbox.main, listening.url) : banner(sandbox.main, fixtures(), listening.url))
  const stop = (): void => void listening.close().then(() => process.exit(0))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

main().catch((error: unknown) => {
  process.stderr.write(`sandbox-server: ${sentence(error)}\n`)
  process.exit(error instanceof UsageError || isListenError(error) ? 2 : 1)
})

const isListenError = (error: unknown): boolean =>
  ['listen', 'getaddrinfo'].includes((error as NodeJS.ErrnoException).syscall ?? '')

function sentence(error: unknown): string {
  const { code, message, ...at } = error as NodeJS.ErrnoException & {
    port?: number
    address?: string
    hostname?: string
  }
  if (code === 'EADDRINUSE')
    return `port ${at.port ?? ''} is in use; choose another with --port, or 0 for a free one.`
  if (code === 'EACCES') return `port ${at.port ?? ''} may not be used by this user; choose one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `--host: this machine has no address ${at.address ?? at.hostname ?? ''}.`
  return message
}
