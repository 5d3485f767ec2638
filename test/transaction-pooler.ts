// A pooler in transaction mode, as PgBouncer is one: each transaction of a client is carried out on another connection, so
// nothing that a connection remembers may be relied upon.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** How many connections of the server the transactions of one client go to, in turns. */
const connections = 3

export interface Pooler {
  readonly port: number
  readonly transactions: () => number
  readonly close: () => Promise<void>
}

/** Starts one in front of a server. */
export async function startPooler(host: string, port: number): Promise<Pooler> {
  let transactions = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    sockets.add(client)
    serve(client, host, port, sockets, () => transactions++).catch(() => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    transactions: () => transactions,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function serve(
  client: Socket,
  host: string,
  port: number,
  sockets: Set<Socket>,
  onTransaction: () => void,
): Promise<void> {
  client.on('error', () => undefined)
  const [startup] = (await once(client, 'data')) as [Buffer]
  const servers = await Promise.all(
    Array.from({ length: connections }, async () => {
      const server = connect(port, host)
      sockets.add(server)
      server.on('error', () => client.destroy())
      server.write(startup)
      const greeting: Buffer[] = []
      for (let isReady = false; !isReady;) {
        const [bytes] = (await once(server, 'data')) as [Buffer]
        greeting.push(bytes)
        isReady = readyState(Buffer.concat(greeting)).state !== undefined
      }
      return { server, greeting: Buffer.concat(greeting) }
    }),
  )
  client.on('close', () => {
    for (const { server } of servers) server.destroy()
  })
  let turn = 0
  for (const { server } of servers) {
    let rest: Buffer = Buffer.alloc(0)
    server.on('data', (bytes: Buffer) => {
      const read = readyState(Buffer.concat([rest, bytes]))
      rest = read.rest
      // `I`: no transaction is open, so the next one goes elsewhere.
      if (read.state === 'I') {
        turn = (turn + 1) % connections
        onTransaction()
      }
      client.write(bytes)
    })
  }
  client.on('data', (bytes) => servers[turn]!.server.write(bytes))
  client.write(servers[0]!.greeting)
}

/** What the last ReadyForQuery among these messages says, and the beginning of a message that is not complete. */
function readyState(bytes: Buffer): { readonly state: string | undefined; readonly rest: Buffer } {
  let at = 0
  let state: string | undefined
  while (bytes.length >= at + 5) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    if (end > bytes.length) break
    if (bytes[at] === 0x5a) state = String.fromCharCode(bytes[at + 5]!)
    at = end
  }
  return { state, rest: bytes.subarray(at) }
}
