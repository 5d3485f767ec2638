// Reads the body of a request, up to a maximum size, and decompresses it.

import { quoted } from '../protocol/quote.js'
import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OwnedBytes } from '../protocol/owned-bytes.js'
import { Problem } from '../protocol/problem.js'
import { tooLarge } from '../sandbox/request.js'

const unpackers: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** Whether a request has a body that nobody has read before. */
export const hasUnreadBody = (request: IncomingMessage): boolean =>
  (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined) &&
  !request.readableEnded &&
  !(request.complete && !request.readable)

/**
 * The decompressed bytes of the body. Rejects with `body-too-large` above `maxBytes`, before and after decompression,
 * and with `broken-request`. The rest of a refused body is read and dropped, so that the client can read the refusal.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
    const unpacker = unpackers.get(encoding)?.()
    const taken = maxBytes > growingBytes ? new GrowingBytes(maxBytes) : new Chunks()
    let size = 0
    const refuse = (problem: Problem): void => {
      request.unpipe()
      unpacker?.destroy()
      taken.drop()
      request.resume()
      reject(problem)
    }
    if (encoding !== 'identity' && !unpacker) {
      refuse(unreadable(`the content encoding ${quoted(encoding)} is not supported`))
      return
    }
    if (Number(request.headers['content-length']) > maxBytes) {
      refuse(tooLarge(maxBytes))
      return
    }
    const source: Readable = unpacker ? request.pipe(unpacker) : request
    source.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) refuse(tooLarge(maxBytes))
      else taken.add(chunk)
    })
    source.once('end', () => resolve(taken.all))
    source.once('error', (error) => refuse(unreadable(error.message)))
    if (unpacker) request.once('error', (error) => refuse(unreadable(error.message)))
    request.once('close', () => {
      if (!request.complete) refuse(unreadable('the request was aborted'))
    })
  })
}

/** From this limit on, the body is not kept in pieces. */
const growingBytes = 16 * 1024 * 1024

/** The pieces of a small body, in the order of arrival. */
class Chunks {
  readonly #chunks: Buffer[] = []

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  get all(): Buffer {
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
  }

  drop(): void {
    this.#chunks.length = 0
  }
}

/** Grows in place: joining pieces takes the memory twice. */
class GrowingBytes {
  readonly #bytes: ArrayBuffer

  constructor(maxBytes: number) {
    this.#bytes = new ArrayBuffer(0, { maxByteLength: maxBytes })
  }

  add(chunk: Buffer): void {
    const size = this.#bytes.byteLength
    this.#bytes.resize(size + chunk.length)
    new Uint8Array(this.#bytes, size).set(chunk)
  }

  get all(): OwnedBytes {
    return new OwnedBytes(this.#bytes)
  }

  drop(): void {
    this.#bytes.resize(0)
  }
}

const unreadable = (why: string): Problem =>
  new Problem('broken-request', `The request cannot be read: ${why}.`)
