// The reference for the sandbox: Express 5 with its defaults, which parses JSON bodies and answers the same JSON from
// an object in memory.

import { readFileSync } from 'node:fs'
import express from 'express'

const body = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const app = express()
app.use(express.json())
app.use((request, response) => {
  response.json(body)
})
const server = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }))
})
process.once('SIGTERM', () => {
  server.close(() => process.exit(0))
  server.closeAllConnections()
})
