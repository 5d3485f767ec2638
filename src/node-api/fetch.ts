// The Fetch API: a Request becomes a call, a reply becomes a Response.

import type { Call, Reply } from '../protocol/call.js'

/** The call for a request; `prefix` is removed from its path, such as `/bank` from `/bank/za/v1/cards`. */
export async function callOf(request: Request, prefix = ''): Promise<Call> {
  const { origin, href, hash } = new URL(request.url)
  // Not pathname and search, which lose the mark of an empty query.
  const whole = href.slice(origin.length, href.length - hash.length)
  const path = whole.startsWith(prefix) ? whole.slice(prefix.length) : whole
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
  return {
    method: request.method,
    path: path.startsWith('/') ? path : `/${path}`,
    headers: Object.fromEntries(request.headers),
    body,
    origin: origin + prefix,
  }
}

/**
 * The Response for a reply. A broken connection rejects as the global `fetch` does, with the system's code as its
 * cause; a hanging connection ends when the request is aborted.
 */
export function responseOf(
  reply: Reply,
  { method, signal }: Pick<Request, 'method' | 'signal'>,
): Response | Promise<Response> {
  const { status, headers, body, stream, disturbance } = reply
  if (disturbance === 'hang') return aborted(signal)
  if (disturbance === 'reset') return Promise.reject(brokenConnection('read ECONNRESET', 'ECONNRESET'))
  if (stream) return new Response(streamOf(stream), { status, headers })
  const empty = method === 'HEAD' || status === 204 || status === 205 || status === 304
  // Copied to separate memory, because a Response does not accept a view of shared memory.
  const bytes = typeof body === 'string' ? body : new Uint8Array(body)
  if (disturbance === 'truncate') return new Response(cut(Buffer.from(bytes)), { status, headers })
  return new Response(empty ? null : bytes, { status, headers })
}

const brokenConnection = (message: string, code: string): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })

/** Rejects when the signal is aborted. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })

/** The first half, and then the end of the connection. */
function cut(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = false
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(brokenConnection('other side closed', 'UND_ERR_SOCKET'))
      else controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2)))
      isSent = true
    },
  })
}

function streamOf(parts: AsyncIterableIterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const part = await parts.next()
      if (part.done) controller.close()
      else controller.enqueue(encoder.encode(part.value))
    },
    cancel: () => void parts.return?.(),
  })
}

/** The argument of `fetch` as a Request; a path alone belongs to the sandbox. */
export function requestOf(input: string | URL | Request, init?: RequestInit): Request {
  return new Request(
    typeof input === 'string' && input.startsWith('/') ? `http://localhost${input}` : input,
    init,
  )
}
