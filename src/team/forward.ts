// Hands calls to the replica that owns their workspace, over HTTP with connections that are kept.

import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as TlsAgent, request as httpsRequest } from 'node:https'
import type { Reply } from '../protocol/call.js'
import {
  packCall,
  packNews,
  readHead,
  type News,
  type Answer,
  type AnswerHead,
  type Handed,
} from './envelope.js'

/** Where replicas take calls from one another. */
export const clusterPath = '/_sandbox/cluster/call'
/** Where they tell one another what has changed. */
export const newsPath = '/_sandbox/cluster/news'
/** The header with the secret that replicas share. */
export const clusterHeader = 'x-sandbox-cluster'

/** A replica that takes longer to hear news does without them. */
const announceMs = 5_000

/** The call never reached the other replica: it can be sent again. */
export class NotHanded extends Error {
  override readonly name = 'NotHanded'
}

/** The other replica went away after it got the call: what became of it is not known. */
export class HandedAndLost extends Error {
  override readonly name = 'HandedAndLost'
}

/** Connections to other replicas. */
export class Forwarder {
  readonly #secret: string
  readonly #http = new Agent({ keepAlive: true, maxSockets: 512, timeout: 30_000 })
  /** One for each address, which trusts its certificate alone. */
  readonly #https = new Map<string, TlsAgent>()
  readonly #certificateOf: (address: string) => Promise<string | undefined>

  /** @param certificateOf gives the certificate (PEM) that the replica at an address shows, if the store has one */
  constructor(secret: string, certificateOf: (address: string) => Promise<string | undefined>) {
    this.#secret = secret
    this.#certificateOf = certificateOf
  }

  /** Rejects with {@link NotHanded} or {@link HandedAndLost}. */
  async send(address: string, handed: Handed): Promise<Answer> {
    const response = await this.#request(
      address + clusterPath,
      packCall(handed),
      handed.call.cardCode?.signal,
    )
    const parts = response[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
    try {
      let bytes: Buffer = Buffer.alloc(0)
      let found
      while (!(found = readHead(bytes))) {
        const { done, value } = await parts.next()
        if (done) throw new HandedAndLost('the answer ended early')
        bytes = bytes.length === 0 ? value : Buffer.concat([bytes, value])
      }
      const { bodyAt } = found
      const head = found.head as AnswerHead
      if (head.elsewhere) {
        response.resume()
        return { elsewhere: true, ...(head.retarget && { retarget: true }) }
      }
      const first = bytes.subarray(bodyAt)
      if (head.isStream)
        return { reply: { ...head.reply!, body: '', stream: streamOf(first, parts, response) } }
      const pieces = [first]
      for (let next; !(next = await parts.next()).done;) pieces.push(next.value)
      if (!response.complete) throw new HandedAndLost('the answer ended early')
      const body = Buffer.concat(pieces)
      const reply: Reply = { ...head.reply!, body: head.isText ? body.toString() : body }
      return { reply }
    } catch (error) {
      throw error instanceof HandedAndLost ? error : new HandedAndLost((error as Error).message)
    }
  }

  /** Tells another replica what has changed. Rejects like {@link Forwarder.send}. */
  async announce(address: string, news: News): Promise<void> {
    const response = await this.#request(address + newsPath, packNews(news), AbortSignal.timeout(announceMs))
    response.resume()
  }

  close(): void {
    this.#http.destroy()
    for (const agent of this.#https.values()) agent.destroy()
  }

  /** The connections to an address with TLS. */
  async #agentOf(address: string): Promise<TlsAgent> {
    let agent = this.#https.get(address)
    if (!agent) this.#https.set(address, (agent = trusting(await this.#certificateOf(address))))
    return agent
  }

  async #request(url: string, body: Buffer, signal: AbortSignal | undefined): Promise<IncomingMessage> {
    const address = new URL(url).origin
    const agent = address.startsWith('https:') ? await this.#agentOf(address) : undefined
    return new Promise((resolve, reject) => {
      const headers = {
        [clusterHeader]: this.#secret,
        'content-type': 'application/octet-stream',
        'content-length': body.length,
      }
      const options = { method: 'POST', headers, ...(signal && { signal }) }
      const sent: ClientRequest = agent
        ? httpsRequest(url, { ...options, agent })
        : httpRequest(url, { ...options, agent: this.#http })
      let isConnected = false
      sent.once('socket', (socket) => {
        if (!socket.connecting) isConnected = true
        else socket.once(agent ? 'secureConnect' : 'connect', () => (isConnected = true))
      })
      sent.once('response', (response) => {
        if (response.statusCode === 200) resolve(response)
        else {
          response.resume()
          reject(
            new NotHanded(
              `${address} answers ${response.statusCode ?? 0}; do the replicas share their secret?`,
            ),
          )
        }
      })
      sent.once('error', (error) => {
        if (isConnected) reject(new HandedAndLost(error.message))
        else {
          // Another replica may listen there now, with another certificate.
          this.#https.delete(address)
          reject(new NotHanded(error.message))
        }
      })
      sent.end(body)
    })
  }
}

/**
 * Trusts exactly this certificate, whoever has issued it and whatever names it has: the store says whose it is. Without
 * it, something else ends TLS for the replica, which has to show what every client trusts.
 */
const trusting = (certificate: string | undefined): TlsAgent =>
  new TlsAgent({
    keepAlive: true,
    maxSockets: 512,
    timeout: 30_000,
    ...(certificate !== undefined && {
      ca: certificate,
      allowPartialTrustChain: true,
      checkServerIdentity: () => undefined,
    }),
  })

/** The parts of a stream as texts, until the reader or the owner ends it. */
function streamOf(
  first: Buffer,
  parts: AsyncIterator<Buffer, undefined>,
  response: IncomingMessage,
): AsyncIterableIterator<string> {
  const decoder = new TextDecoder()
  let rest: Buffer | undefined = first
  const stream: AsyncIterableIterator<string> = {
    async next() {
      if (rest) {
        const value = decoder.decode(rest, { stream: true })
        rest = undefined
        return { done: false, value }
      }
      try {
        const { done, value } = await parts.next()
        return done
          ? { done: true, value: undefined }
          : { done: false, value: decoder.decode(value, { stream: true }) }
      } catch {
        return { done: true, value: undefined }
      }
    },
    return() {
      response.destroy()
      return Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]: () => stream,
  }
  return stream
}
