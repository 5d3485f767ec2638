// The endpoints' declarations as an OpenAPI 3.1 document. Its schemas are those that validate; its examples are real
// answers of a sandbox.

import { permissions } from '../bank/credentials.js'
import type { ApiName, Endpoint } from './endpoint.js'
import type { Reply } from '../protocol/call.js'
import { exampleOrigin, type Sample } from './examples.js'
import type { Behaviour } from '../protocol/behaviour.js'
import { problems, type ProblemCode } from '../protocol/problem.js'
import { refusalForm, refusalStatus } from '../protocol/refusal.js'
import { record, type Schema } from '../protocol/schema.js'

const titles: Readonly<Record<ApiName, readonly [string, string]>> = {
  service: [
    'The service',
    'Accounts, payments and programmable cards of a private bank, as sandbox-server implements it. The examples are answers of the sandbox.',
  ],
  control: [
    'The control API of sandbox-server',
    'What a test controls in the bank: its clock, its faults, its state. The examples are answers of the sandbox.',
  ],
}

const Links = record('Links', 'The address of the request.', {
  self: { type: ['string', 'null'], description: 'Null when the service sends none.' },
})
const Meta = record('Meta', 'About the answer.', {
  totalPages: { type: 'integer', description: '1 unless the request asked for pages.' },
})

/** The schema of a whole answer: the data, in its envelope if the endpoint has one. */
export function answerSchema({ envelope, response }: Endpoint): Schema {
  if (envelope === 'bare') return response
  return {
    type: 'object',
    properties: { data: response, links: Links, meta: Meta },
    required: ['data', 'links', 'meta'],
    additionalProperties: false,
  }
}

/** Every refusal of an endpoint: those that it declares, and those of the steps before it. */
export function problemsOf({ auth, permission, path, query, body, ...endpoint }: Endpoint): Set<ProblemCode> {
  const codes = new Set<ProblemCode>(endpoint.problems)
  const add = (...more: ProblemCode[]): void => more.forEach((code) => codes.add(code))
  if (auth === 'token') add('missing-token', 'unknown-token', 'expired-token', 'rate-limited')
  // A parameter `workspace` that is no single text.
  if (auth === 'control') add('unknown-workspace', 'invalid-request')
  if (permission !== undefined) add('missing-permission')
  if (auth === 'token' && path.includes('{accountId}')) add('unknown-account', 'account-refused')
  // A deviation is refused where the setting `strict` is on.
  if (query ?? body ?? auth === 'token') add('invalid-request')
  if (body) add('broken-json', 'wrong-content-type', 'body-too-large')
  add('internal-error')
  return codes
}

/** Larger examples are left out: nobody reads the whole ledger. */
const exampleBytes = 20_000

/** The document for a list of endpoints. `sample` sends an endpoint's example to a sandbox. */
export async function openApiDocument(
  api: ApiName,
  version: string,
  endpoints: readonly Endpoint[],
  sample: (endpoint: Endpoint) => Promise<Sample>,
  behaviour: Behaviour,
): Promise<object> {
  const schemas: Record<string, unknown> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  const ids = new Set<string>()
  for (const endpoint of endpoints) {
    const sent = endpoint.example === null ? undefined : await sample(endpoint)
    for (const path of [endpoint.path, ...(endpoint.aliases ?? [])])
      (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(
        endpoint,
        path,
        sent,
        schemas,
        ids,
        behaviour,
      )
  }
  const [title, description] = titles[api]
  return {
    openapi: '3.1.0',
    info: { title, description, version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: exampleOrigin }],
    tags: [...new Set(endpoints.map(({ path }) => tagOf(path)))].map((name) => ({ name })),
    paths,
    components: { schemas, ...(api === 'service' && { securitySchemes }) },
  }
}

const securitySchemes = {
  token: {
    type: 'oauth2',
    flows: {
      clientCredentials: {
        tokenUrl: '/identity/v2/oauth2/token',
        scopes: Object.fromEntries(
          permissions.map((each) => [each, `Access that an API key permits: ${each}.`]),
        ),
      },
    },
  },
  client: { type: 'http', scheme: 'basic', description: 'Client id and client secret.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
}

function operation(
  endpoint: Endpoint,
  path: string,
  sample: Sample | undefined,
  schemas: Record<string, unknown>,
  ids: Set<string>,
  behaviour: Behaviour,
): object {
  const { method, name, summary, auth, permission } = endpoint
  const parameters = [
    ...pathParameters(endpoint, path, sample),
    ...queryParameters(endpoint, sample, schemas),
  ]
  const requestBody = bodyOf(endpoint, sample, schemas)
  return {
    operationId: unused(path === endpoint.path && name !== undefined ? name : operationId(method, path), ids),
    summary,
    tags: [tagOf(path)],
    ...(auth === 'token' && { security: [{ token: permission === undefined ? [] : [permission] }] }),
    ...(auth === 'client' && { security: [{ client: [], apiKey: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { 200: success(endpoint, sample, schemas), ...refusals(endpoint, schemas, behaviour) },
  }
}

function pathParameters({ pathParams }: Endpoint, path: string, sample: Sample | undefined): object[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => {
    const { description, ...schema }: Schema = pathParams?.[name!] ?? { type: 'string' }
    return {
      name,
      in: 'path',
      required: true,
      ...(description !== undefined && { description }),
      schema,
      ...(sample && { example: sample.example.params?.[name!] }),
    }
  })
}

function queryParameters(
  { query }: Endpoint,
  sample: Sample | undefined,
  schemas: Record<string, unknown>,
): object[] {
  return Object.entries(query?.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(query?.required?.includes(name) && { required: true }),
    ...(description !== undefined && { description }),
    schema: hoisted(schema, schemas),
    ...(sample?.example.query?.[name] !== undefined && { example: sample.example.query[name] }),
  }))
}

function bodyOf(
  { body, form }: Endpoint,
  sample: Sample | undefined,
  schemas: Record<string, unknown>,
): object | undefined {
  const schema = form ?? body
  if (!schema) return undefined
  const media = form ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    required: true,
    content: {
      [media]: {
        schema: hoisted(schema, schemas),
        ...(sample?.example.body && { example: sample.example.body }),
      },
    },
  }
}

function success(endpoint: Endpoint, sample: Sample | undefined, schemas: Record<string, unknown>): object {
  const { produces, summary } = endpoint
  if (produces !== undefined) return { description: summary, content: { [produces]: {} } }
  const text = sample?.reply.status === 200 ? textOf(sample.reply) : undefined
  const example =
    text !== undefined && text.length <= exampleBytes ? { example: JSON.parse(text) as unknown } : {}
  const schema = hoisted(answerSchema(endpoint), schemas)
  return { description: summary, content: { 'application/json': { schema, ...example } } }
}

const textOf = ({ body }: Reply): string => (typeof body === 'string' ? body : Buffer.from(body).toString())

/** One response for each status; it lists the codes that it may carry. */
function refusals(
  endpoint: Endpoint,
  schemas: Record<string, unknown>,
  behaviour: Behaviour,
): Record<string, object> {
  const byStatus: Partial<Record<number, ProblemCode[]>> = {}
  for (const code of problemsOf(endpoint)) (byStatus[refusalStatus(code, behaviour)] ??= []).push(code)
  return Object.fromEntries(
    Object.entries(byStatus as Record<string, ProblemCode[]>).map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `${problems[code].title} (${code}).`).join(' '),
        headers: { 'sandbox-problem': { description: 'The code.', schema: { enum: codes } } },
        ...contentOf(codes, schemas, behaviour),
      },
    ]),
  )
}

/** The bodies of refusals by content type; empty when no body is sent. */
function contentOf(
  codes: readonly ProblemCode[],
  schemas: Record<string, unknown>,
  behaviour: Behaviour,
): { content?: Record<string, object> } {
  const byType = new Map<string, Set<Schema>>()
  for (const code of codes) {
    const { headers, json } = refusalForm(code, behaviour)
    if (!json) continue
    const type = headers['content-type']!.split(';', 1)[0]!
    byType.set(type, (byType.get(type) ?? new Set()).add(json.schema))
  }
  if (byType.size === 0) return {}
  const content = [...byType].map(([type, forms]): [string, object] => {
    const bodies = [...forms].map((schema) => hoisted(schema, schemas))
    return [type, { schema: bodies.length === 1 ? bodies[0] : { anyOf: bodies } }]
  })
  return { content: Object.fromEntries(content) }
}

/** A schema in which every titled schema is a reference to the components. */
function hoisted(schema: Schema, schemas: Record<string, unknown>): object {
  const { title } = schema
  if (title === undefined) return inner(schema, schemas)
  const known = schemas[title]
  if (known === undefined) {
    schemas[title] = {}
    schemas[title] = inner(schema, schemas)
  }
  return { $ref: `#/components/schemas/${title}` }
}

function inner(schema: Schema, schemas: Record<string, unknown>): object {
  const { properties, items, anyOf, additionalProperties } = schema
  const hoist = (each: Schema): object => hoisted(each, schemas)
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, hoist(each)])),
    }),
    ...(items && { items: hoist(items) }),
    ...(anyOf && { anyOf: anyOf.map(hoist) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: hoist(additionalProperties) }),
  }
}

/** The meaningful segments of a path, without version, country and the like. */
const words = (path: string): string[] => {
  const silent = new Set(['', 'za', 'pb', 'v1', 'v2', 'identity', 'oauth2', '_sandbox'])
  const said = path.split('/').filter((segment) => !silent.has(segment))
  return said.length > 0 ? said : ['guide']
}

const tagOf = (path: string): string => words(path)[0]!.replace('.json', '')

/**
 * `accounts/transfermultiple` would get the name of `accounts/{accountId}/transfermultiple`: the later one gets a
 * number.
 */
function unused(id: string, ids: Set<string>): string {
  const free = ids.has(id) ? unused(`${id}2`, ids) : id
  ids.add(free)
  return free
}

/** `getProfilesAccounts`; a parameter at the end is part of the name: `getCardsByCardkey`. */
function operationId(method: string, path: string): string {
  const parts = words(path).flatMap((segment, index, all) => {
    if (!segment.startsWith('{')) return segment.split(/[^A-Za-z0-9]+/)
    return index === all.length - 1 ? ['by', segment.slice(1, -1)] : []
  })
  return method.toLowerCase() + parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('')
}
