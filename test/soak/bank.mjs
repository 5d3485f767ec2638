// Shared by the scripts of this folder: the flags of their command lines, seeded random numbers, and a bank in its own
// process.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { tokenOf } from '../../bench/servers.mjs'

const cli = fileURLToPath(new URL('../../dist/command/cli.js', import.meta.url))

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

// A script that fails leaves no bank behind.
const running = new Set()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** The numbers after `--name` on the command line, or the defaults. */
export function numbers(usual) {
  const given = { ...usual }
  for (let at = 2; at < process.argv.length; at += 2) {
    const name = process.argv[at].replace(/^--/, '')
    if (!(name in usual)) throw new Error(`there is no flag ${process.argv[at]}`)
    given[name] = Number(process.argv[at + 1])
  }
  return given
}

/** Seeded random numbers (mulberry32): `below(n)` is a whole number from 0 to n - 1. */
export function chanceOf(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most) => Math.floor(next() * most)
  return { next, below, of: (list) => list[below(list.length)] }
}

/** Starts a bank. Its standard error is passed on: a healthy bank prints nothing there. */
export async function startBank(...flags) {
  const args = [cli, '--port', '0', '--json', '--quiet', ...flags]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  running.add(child)
  child.once('exit', () => running.delete(child))
  const ready = once(createInterface(child.stdout), 'line')
  const line = await Promise.race([
    ready,
    ended.then(([code]) => Promise.reject(new Error(`ended: ${code}`))),
  ])
  const bank = JSON.parse(line[0])
  return {
    ...bank,
    pid: child.pid,
    isUp: () => child.exitCode === null && child.signalCode === null,
    /** Ends it, and returns its exit code. */
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      const [code] = await ended
      return code
    },
  }
}

/** The resident memory of a process, in MB; undefined when the system does not show it. */
export function rssMb(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
  } catch {
    return undefined
  }
}

/** How many file descriptors a process has open; undefined when the system does not show it. */
export function descriptorsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return undefined
  }
}

/** The headers of a client that has signed in. */
export const signIn = async (bank) => ({
  authorization: `Bearer ${await tokenOf(bank)}`,
  'content-type': 'application/json',
})

/** A client of a running bank: `ask(method, path, body)` returns the status and the parsed answer. */
export async function clientOf(bank) {
  let headers = await signIn(bank)
  const ask = async (method, path, body) => {
    const response = await fetch(bank.url + path, {
      method,
      headers: path.startsWith('/_sandbox') ? { 'content-type': 'application/json' } : headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    let json
    try {
      json = JSON.parse(text)
    } catch {
      json = undefined
    }
    if (response.status === 401) headers = await signIn(bank)
    return { status: response.status, json, text }
  }
  return { ask }
}

export const everyday = '4675778129910189600000003'
export const savings = '4675778129910189600000004'
export const accounts = '/za/pb/v1/accounts'

/** Fails with what was expected. */
export function must(isSo, ...said) {
  if (!isSo) throw new Error(said.join(' '))
}
