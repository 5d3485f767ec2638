// Reads the body of a request: at most so many bytes, unpacked where it was sent packed.

import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Problem } from '../protocol/problem.js'

const unpackers: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** Whether a request brings a body that nobody has read before. */
export const hasUnreadBody = (request: IncomingMessage): boolean =>
  (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined) &&
  !request.readableEnded &&
  !(request.complete && !request.readable)

/**
 * The bytes of the body, unpacked. Rejects with `body-too-large` above `maxBytes`, before and after unpacking, and with
 * `broken-request`. What is left of a refused body is read and dropped, so that the client can read the refusal.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
    const unpacker = unpackers.get(encoding)?.()
    const chunks: Buffer[] = []
    let size = 0
    const refuse = (problem: Problem): void => {
      request.unpipe()
      unpacker?.destroy()
      chunks.length = 0
      request.resume()
      reject(problem)
    }
    if (encoding !== 'identity' && !unpacker) {
      refuse(unreadable(`the content encoding ${JSON.stringify(encoding.slice(0, 60))} is not supported`))
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
      else chunks.push(chunk)
    })
    source.once('end', () =>
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, Math.min(size, maxBytes))),
    )
    source.once('error', (error) => refuse(unreadable(error.message)))
    if (unpacker) request.once('error', (error) => refuse(unreadable(error.message)))
    request.once('close', () => {
      if (!request.complete) refuse(unreadable('the request was aborted'))
    })
  })
}

const tooLarge = (maxBytes: number): Problem =>
  new Problem('body-too-large', `Send at most ${maxBytes / 1_048_576} MiB.`)

const unreadable = (why: string): Problem =>
  new Problem('broken-request', `The request cannot be read: ${why}.`)
