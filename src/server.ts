// Listening: the Express application on a port, and a way to stop that leaves no socket behind.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp, type HttpOptions } from './express.js'
import type { Sandbox } from './sandbox.js'

/** A sandbox that listens. */
export interface Listening {
  /** `http://127.0.0.1:3300`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Stops listening and ends every connection. */
  close(): Promise<void>
}

/** Listens on `host` and `port` (0 takes a free one). Rejects with the error of the system, such as `EADDRINUSE`. */
export async function listen(
  sandbox: Sandbox,
  { host, port, ...http }: HttpOptions & { host: string; port: number },
): Promise<Listening> {
  const server = createServer(createApp(sandbox, http))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address() as AddressInfo
  return {
    url: urlOf(address.address, address.port),
    port: address.port,
    close: () => closeServer(server),
  }
}

/** The address under which a program on this machine reaches a server that listens there. */
export function urlOf(host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host
  return `http://${unspecified.has(host) ? 'localhost' : name}:${port}`
}

const unspecified = new Set(['0.0.0.0', '::'])

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
}
