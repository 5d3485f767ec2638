// A client that costs almost nothing, so that only the server is measured: keep-alive connections that send the same
// request again and again and count bytes. Every answer to the same request has the same length (asserted).

import { connect } from 'node:net'
import { once } from 'node:events'

/** What `load` measures, as requests per second alone. */
export const requestsPerSecond = async (url, options) => (await load(url, options)).rate

/** Requests per second of `connections` connections over `ms` milliseconds after a short warm-up, and how long each took, ms. */
export async function load(url, { headers = {}, method = 'GET', body = '', connections = 8, ms = 3000 }) {
  const { hostname, port, host, pathname, search } = new URL(url)
  const lines = Object.entries({
    host,
    ...headers,
    ...(body && { 'content-length': Buffer.byteLength(body) }),
  })
  const request = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n${body}`
  const size = await sizeOfAnswer(hostname, port, request)
  let bytes = 0
  let running = true
  const times = []
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(Number(port), hostname)
    let due = size
    let sent = performance.now()
    socket.on('data', (chunk) => {
      bytes += chunk.length
      due -= chunk.length
      if (due < 0) throw new Error(`${url}: answers differ in length`)
      if (due > 0 || !running) return
      due = size
      const now = performance.now()
      times.push(now - sent)
      sent = now
      socket.write(request)
    })
    socket.write(request)
    return socket
  })
  await pause(ms / 6)
  const before = bytes
  times.length = 0
  const started = performance.now()
  await pause(ms)
  const rate = (bytes - before) / size / ((performance.now() - started) / 1000)
  running = false
  for (const socket of sockets) socket.destroy()
  return { rate, times }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function sizeOfAnswer(hostname, port, request) {
  const socket = connect(Number(port), hostname)
  socket.write(request)
  let text = ''
  for await (const chunk of socket) {
    text += chunk.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    const length = end < 0 ? undefined : /content-length: (\d+)/i.exec(text.slice(0, end))?.[1]
    if (length === undefined || text.length < end + 4 + Number(length)) continue
    if (!text.startsWith('HTTP/1.1 200')) throw new Error(text.slice(0, 300))
    socket.destroy()
    return end + 4 + Number(length)
  }
  await once(socket, 'close')
  throw new Error('the server closed the connection')
}
