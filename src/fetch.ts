// The Fetch API in and out: a Request becomes a call, a reply becomes a Response.

import type { Call, Reply } from './endpoint.js'

/** The call that a request stands for; `prefix` is taken off the front of its path, as `/bank` of `/bank/za/v1/cards`. */
export async function callOf(request: Request, prefix = ''): Promise<Call> {
  const { origin, pathname, search } = new URL(request.url)
  const path = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
  return {
    method: request.method,
    path: (path.startsWith('/') ? path : `/${path}`) + search,
    headers: Object.fromEntries(request.headers),
    body,
    origin: origin + prefix,
  }
}

/** The response that a reply stands for. */
export function responseOf({ status, headers, body }: Reply, method: string): Response {
  const empty = method === 'HEAD' || status === 204 || status === 304
  // Copied into memory of its own, since a Response takes no view of memory that others may share.
  const bytes = typeof body === 'string' ? body : new Uint8Array(body)
  return new Response(empty ? null : bytes, { status, headers })
}

/** What `fetch` takes, as a Request; a path alone is one of the sandbox. */
export function requestOf(input: string | URL | Request, init?: RequestInit): Request {
  return new Request(
    typeof input === 'string' && input.startsWith('/') ? `http://localhost${input}` : input,
    init,
  )
}
