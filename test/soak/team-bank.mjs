// Replicas of a team's bank as processes, and clients that pay in many workspaces, for the soaks of a store.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Agent, request } from 'node:http'
import { chanceOf, everyday, must, savings } from './bank.mjs'
import { Postgres } from '../../dist/team/postgres.js'

export const accounts = '/za/pb/v1/accounts'
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** A fresh schema in the database of `TEST_DATABASE_URL`, or at another address. */
export async function freshStore(
  base = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test',
  name = 'soak',
) {
  const store = `${base}?schema=${name}_${process.pid}&connections=8`
  const drop = async () => {
    const postgres = await Postgres.open(store)
    await postgres.run('drop schema if exists $schema cascade')
    await postgres.close()
  }
  await drop()
  return { store, drop }
}

/** Starts a replica; `end(signal)` ends it. */
export async function startReplica(store, ...flags) {
  const args = ['dist/command/cli.js', '--store', store, '--port', '0', '--json', '--quiet', ...flags]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(([code]) => Promise.reject(new Error(`the replica ended with ${code}`))),
  ])
  const { url } = JSON.parse(line)
  let isUp = true
  void exited.then(() => (isUp = false))
  return {
    url,
    pid: child.pid,
    isUp: () => isUp,
    signal: (name) => child.kill(name),
    end: async (name) => {
      child.kill(name)
      await exited
    },
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 })

/** A request; `isSent` of an error says whether the replica may have got it. */
export function ask(url, method, path, { headers = {}, body, timeoutMs = 20_000 } = {}) {
  return new Promise((resolve, reject) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const sent = request(url + path, {
      method,
      agent,
      timeout: timeoutMs,
      headers: {
        ...(typeof body === 'object' && { 'content-type': 'application/json' }),
        ...headers,
        ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
      },
    })
    let isConnected = false
    sent.once('socket', (socket) => {
      if (!socket.connecting) isConnected = true
      else socket.once('connect', () => (isConnected = true))
    })
    sent.once('timeout', () => sent.destroy(new Error('timed out')))
    sent.once('error', (error) => reject(Object.assign(error, { isSent: isConnected })))
    sent.once('response', (response) => {
      const parts = []
      response.on('data', (part) => parts.push(part))
      response.once('error', (error) => reject(Object.assign(error, { isSent: true })))
      response.once('end', () => {
        const answer = Buffer.concat(parts).toString()
        let json
        try {
          json = JSON.parse(answer)
        } catch {
          // A probe answers text.
        }
        resolve({ status: response.statusCode, headers: response.headers, text: answer, json })
      })
    })
    sent.end(text)
  })
}

/** Makes workspaces, each with a client that has a token. */
export async function workspacesOf(url, count) {
  const clients = []
  for (let each = 0; each < count; each++) {
    const { json } = await ask(url, 'POST', '/_sandbox/workspaces', { body: { name: `team-${each}` } })
    clients.push({ name: json.name, headers: await signIn(url, json), acknowledged: [], unknown: [] })
  }
  return clients
}

export async function signIn(url, { clientId, clientSecret, apiKey }) {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const { json, text } = await ask(url, 'POST', '/identity/v2/oauth2/token', {
    headers: {
      authorization: `Basic ${basic}`,
      'x-api-key': apiKey,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials&scope=accounts',
  })
  must(json.access_token !== undefined, text)
  return { authorization: `Bearer ${json.access_token}` }
}

let references = 0

/** One transfer by a client; notes whether it was acknowledged, refused or neither. Gives the status, or why there is none. */
export async function pay(url, client) {
  const reference = `r${++references}`
  const item = {
    beneficiaryAccountId: savings,
    amount: '0.01',
    myReference: reference,
    theirReference: reference,
  }
  const path = `${accounts}/${everyday}/transfermultiple`
  try {
    const { status, text } = await ask(url, 'POST', path, {
      headers: client.headers,
      body: { transferList: [item] },
    })
    if (status === 200) {
      client.acknowledged.push(reference)
      client.lastMs = performance.now()
    } else {
      client.unknown.push(reference)
      client.lastRefusal = text
    }
    return status
  } catch (error) {
    if (error.isSent) client.unknown.push(reference)
    return error.isSent ? 'lost' : 'not sent'
  }
}

/** Every acknowledged transfer is there once, none twice, none in one book alone. Gives how many there are. */
export async function check(url, client) {
  const rows = async (accountId) => {
    const path = `${accounts}/${accountId}/transactions?fromDate=2020-01-01`
    const { status, json, text } = await ask(url, 'GET', path, { headers: client.headers })
    must(status === 200, text)
    const counts = new Map()
    for (const { description } of json.data.transactions)
      if (/^r\d+$/.test(description)) counts.set(description, (counts.get(description) ?? 0) + 1)
    return counts
  }
  const [from, to] = [await rows(everyday), await rows(savings)]
  for (const reference of client.acknowledged)
    must(from.get(reference) === 1, `${client.name} lost ${reference}`)
  for (const [reference, count] of from) {
    must(count === 1, `${client.name} has ${reference} ${count} times`)
    must(to.get(reference) === 1, `${client.name} has half of ${reference}`)
  }
  must(from.size === to.size, `${client.name} has ${from.size} debits and ${to.size} credits`)
  return from.size
}

/** Pays in every workspace until `stop()`, each client through a replica that `pick` chooses. */
export function load(clients, pick, onStatus = () => undefined) {
  let isOver = false
  const loops = clients.map(async (client) => {
    while (!isOver) {
      const status = await pay(pick(), client)
      onStatus(status, client)
      if (status !== 200) await pause(20)
    }
  })
  return async () => {
    isOver = true
    await Promise.all(loops)
  }
}

export const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]

export { chanceOf, must }
