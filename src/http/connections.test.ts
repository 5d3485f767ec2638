import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import { Connections } from './connections.js'

test('clients that never read their answers are disconnected, those with the most unread bytes first', async () => {
  // More than the buffers of the system hold.
  const megabyte = 2 ** 20
  const sizes: Record<string, number> = { '/20': 20 * megabyte, '/40': 40 * megabyte, '/1': 100 }
  const server = createServer()
  const connections = new Connections(server, () => undefined, 50 * megabyte)
  const paths = new Map<Socket, string>()
  const ended = new Promise<string>((resolve) => {
    server.on('request', (request, response) => {
      paths.set(request.socket, request.url!)
      request.socket.once('close', () => resolve(paths.get(request.socket)!))
      connections.follow(request, response, () => response.end(Buffer.alloc(sizes[request.url!]!)))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const clients = ['/20', '/40', '/1'].map((path) => {
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    socket.on('error', () => undefined)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    return socket
  })
  expect(await ended).toBe('/40')
  const [, , other] = clients
  const [answer] = (await once(other!.resume(), 'data')) as [Buffer]
  expect(answer.toString('latin1', 0, 15)).toBe('HTTP/1.1 200 OK')
  for (const client of clients) client.destroy()
  await connections.close()
})
