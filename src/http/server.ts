// Listens on a port with node:http, and can stop without leaving a socket behind.

import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { CertificatePair } from './certificate.js'
import { Connections } from './connections.js'
import { maxConnections } from './descriptors.js'
import { answerAll, createHandler } from './handler.js'
import type { ServingOptions } from './http-options.js'

/** A sandbox that listens. */
export interface Listening {
  /** `http://127.0.0.1:3300`, or with `https`, without a trailing slash. */
  readonly url: string
  readonly port: number
  /**
   * Stops listening and closes every connection after requests in flight had `graceMs` to finish (default 0). May be
   * called several times; the shortest time counts.
   */
  close(graceMs?: number): Promise<void>
}

/**
 * Listens on `host` and `port` (0 takes a free one); with `pair` it speaks HTTPS. Rejects with the error of the
 * system, such as `EADDRINUSE`.
 */
export async function listen(
  sandbox: Sandbox,
  { host, port, pair, ...http }: ServingOptions & { host: string; port: number; pair?: CertificatePair },
): Promise<Listening> {
  // Requests without Host or with an unusual Expect get the normal refusals, not Node's without a body.
  const plain = { requireHostHeader: false }
  const server = pair ? createTlsServer({ ...plain, ...pair }) : createServer(plain)
  // Replicas and load balancers keep their connections: closing one while it is used would lose a call.
  if (http.front) server.keepAliveTimeout = keptMs
  const most = maxConnections()
  if (most !== undefined) server.maxConnections = most
  const connections = new Connections(server, (status) =>
    http.onRequest?.({ method: '-', path: '-', status, ms: 0, isInJournal: false }),
  )
  // The address that the user chose to listen on is allowed as a host; no page of another site uses that name.
  const allowHosts = [...(http.allowHosts ?? []), ...(unspecified.has(host) ? [] : [host])]
  const serving = {
    ...http,
    allowHosts,
    isRoot: true,
    onEndless: connections.endless.bind(connections),
    ...(pair && { certificate: pair.cert }),
  }
  const answer = createHandler(sandbox, serving)
  const rest = restOf(sandbox, serving)
  const serve: RequestListener = (request, response) => {
    // A client behind a proxy asks for `http://localhost:3300/za/...`; the rest of the code only knows paths.
    const url = request.url!
    if (!url.startsWith('/')) request.url = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/'
    connections.follow(request, response, () => {
      if (!http.front?.aside(request, response)) answer(request, response, () => rest(request, response))
    })
  }
  server.on('request', serve)
  server.on('checkExpectation', serve)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const scheme = pair ? 'https' : 'http'
  const address = { ...(server.address() as AddressInfo), scheme } as const
  sandbox.listensAt.add(address)
  return {
    url: urlOf(address.address, address.port, scheme),
    port: address.port,
    close: (graceMs) => {
      sandbox.listensAt.delete(address)
      return connections.close(graceMs)
    },
  }
}

/** Longer than load balancers and replicas keep an unused connection. */
const keptMs = 75_000

/** Serves unknown paths with the Express application, which is loaded when first needed. */
function restOf(sandbox: Sandbox, options: ServingOptions): RequestListener {
  let app: RequestListener | undefined
  return (request, response) => {
    if (app) app(request, response)
    else
      import('./app.js')
        .then(({ createApp }) => (app ??= createApp(sandbox, options) as RequestListener))
        // Without Express there is still an answer: such a path is not found.
        .catch(() => answerAll(sandbox, options))
        .then((serve) => serve(request, response))
        .catch(() => response.destroy())
  }
}

/** The address at which programs on this machine reach the server. */
export function urlOf(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  const name = host.includes(':') ? `[${host}]` : host
  return `${scheme}://${unspecified.has(host) ? 'localhost' : name}:${port}`
}

const unspecified = new Set(['0.0.0.0', '::', '::ffff:0.0.0.0', '0:0:0:0:0:0:0:0'])
