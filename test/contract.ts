// Holds an answer against what its endpoint declares: the schema of its answer, or one of its refusals.

import { endpoints } from '../src/sandbox/endpoints.js'
import type { Endpoint } from '../src/endpoint/endpoint.js'
import type { Call, Reply } from '../src/protocol/call.js'
import { answerSchema, OAuthErrorDetails, ProblemDetails, problemsOf } from '../src/endpoint/openapi.js'
import { problems, type ProblemCode } from '../src/protocol/problem.js'
import { Router } from '../src/sandbox/router.js'
import { checkOf } from '../src/protocol/validation.js'

const router = new Router(endpoints)

/** What is wrong with an answer, as sentences; none when it keeps its endpoint's word. */
export async function breaches(call: Call, reply: Reply): Promise<string[]> {
  const path = call.path.split('?')[0]!
  const match = router.match(call.method, path)
  const endpoint = match && 'endpoint' in match ? match.endpoint : undefined
  const found = reply.status === 200 ? await ofSuccess(endpoint, reply) : await ofRefusal(endpoint, reply)
  return found.map((text) => `${call.method} ${call.path}, ${reply.status}: ${text}`)
}

async function ofSuccess(endpoint: Endpoint | undefined, reply: Reply): Promise<string[]> {
  if (!endpoint) return ['no endpoint has this path']
  const type = reply.headers['content-type']?.split(';')[0]
  const { produces = 'application/json' } = endpoint
  if (type !== produces) return [`the content type is ${type ?? 'missing'}, not ${produces}`]
  return produces === 'application/json' ? faults(answerSchemaOf(endpoint), reply) : []
}

async function ofRefusal(endpoint: Endpoint | undefined, reply: Reply): Promise<string[]> {
  const body = parsed(reply) as { type?: string; status?: number }
  if (endpoint?.auth === 'client' && body.type === undefined) return faults(OAuthErrorDetails, reply)
  const code = body.type?.replace('urn:sandbox-server:problem:', '') as ProblemCode
  const found = await faults(ProblemDetails, reply)
  if (!(code in problems)) found.push(`${code} is not in the catalogue`)
  else if (problems[code].status !== reply.status || body.status !== reply.status)
    found.push(`${code} has another status`)
  else if (endpoint && !problemsOf(endpoint).has(code)) found.push(`${code} is not declared`)
  return found
}

const parsed = ({ body }: Reply): unknown => JSON.parse(Buffer.from(body as string).toString())

async function faults(schema: object, reply: Reply): Promise<string[]> {
  const check = await checkOf(schema)
  return check(parsed(reply)).map(({ path, message }) => `${path} ${message}`)
}

/** One schema for each endpoint, so that it is compiled once. */
const schemas = new Map<Endpoint, object>()

function answerSchemaOf(endpoint: Endpoint): object {
  const schema = schemas.get(endpoint) ?? answerSchema(endpoint)
  schemas.set(endpoint, schema)
  return schema
}
