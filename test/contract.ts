// Compares an answer with the declaration of its endpoint: the schema of its answer, or one of its refusals.

import { endpoints } from '../src/sandbox/endpoints.js'
import type { Endpoint } from '../src/endpoint/endpoint.js'
import type { Call, Reply } from '../src/protocol/call.js'
import { answerSchema, problemsOf } from '../src/endpoint/openapi.js'
import type { Behaviour } from '../src/protocol/behaviour.js'
import { problems, type ProblemCode } from '../src/protocol/problem.js'
import { ProblemDetails, refusalForm, refusalStatus } from '../src/protocol/refusal.js'
import { parseCall } from '../src/sandbox/request.js'
import { Router } from '../src/sandbox/router.js'
import { checkOf } from '../src/protocol/validation.js'

const router = new Router(endpoints)

/** The errors of an answer, as sentences; none when it matches its declaration. */
export async function breaches(
  call: Call,
  reply: Reply,
  behaviour: Behaviour = 'documented',
): Promise<string[]> {
  const match = router.match(call.method, parseCall(call).path)
  const matched = match && 'endpoint' in match ? match.endpoint : undefined
  // Card code has no control API.
  const endpoint = call.cardCode && matched?.auth === 'control' ? undefined : matched
  const found =
    reply.status === 200 ? await ofSuccess(endpoint, reply) : await ofRefusal(endpoint, reply, behaviour)
  return found.map((text) => `${call.method} ${call.path}, ${reply.status}: ${text}`)
}

async function ofSuccess(endpoint: Endpoint | undefined, reply: Reply): Promise<string[]> {
  if (!endpoint) return ['no endpoint has this path']
  const type = reply.headers['content-type']?.split(';')[0]
  const { produces = 'application/json' } = endpoint
  if (type !== produces) return [`the content type is ${type ?? 'missing'}, not ${produces}`]
  return produces === 'application/json' ? faults(answerSchemaOf(endpoint), reply) : []
}

async function ofRefusal(
  endpoint: Endpoint | undefined,
  reply: Reply,
  behaviour: Behaviour,
): Promise<string[]> {
  const code = reply.headers['sandbox-problem'] as ProblemCode
  if (!Object.hasOwn(problems, code)) return [`${code} is not in the catalogue`]
  const found: string[] = []
  if (reply.problem?.code !== code || reply.problem.detail === '') found.push('the reply lacks its detail')
  // The control API is the sandbox's own, and refuses as documented.
  const ofControl = endpoint ? endpoint.auth === 'control' : hasNoEndpoint(reply)
  const form = refusalForm(code, ofControl ? 'documented' : behaviour)
  if (refusalStatus(code, ofControl ? 'documented' : behaviour) !== reply.status)
    found.push(`${code} has another status`)
  for (const [name, value] of Object.entries(form.headers))
    if (reply.headers[name] !== value) found.push(`the header ${name} is ${reply.headers[name] ?? 'missing'}`)
  if (!form.json) {
    if (reply.body !== '') found.push('there is a body')
  } else found.push(...(await faults(form.json.schema, reply)))
  if (form.json?.schema === ProblemDetails) {
    const { type, status } = parsed(reply) as { type?: string; status?: number }
    if (type !== `urn:sandbox-server:problem:${code}` || status !== reply.status)
      found.push('the body has another type or status')
  }
  if (endpoint && !problemsOf(endpoint).has(code)) found.push(`${code} is not declared`)
  return found
}

/** A path without an endpoint is refused alike in both behaviours. */
const hasNoEndpoint = ({ status }: Reply): boolean => status === 404 || status === 405

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
