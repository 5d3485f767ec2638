// The reference for the sandbox: `node:http` alone, which writes the same JSON from an object in memory.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const body = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => {
    const text = JSON.stringify(body)
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }))
})
process.once('SIGTERM', () => {
  server.close(() => process.exit(0))
  server.closeAllConnections()
})
