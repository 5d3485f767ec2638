// Every place of both APIs that accepts a text, and calls that put a given text there.

import { endpoints } from '../../dist/sandbox/endpoints.js'
import { sampleOf } from '../../dist/endpoint/examples.js'

const types = ({ type }) => [type].flat()

/** Paths to the texts of a schema; a path to the names of an object ends with `name`. */
function* placesOf(schema, path = []) {
  if (types(schema).includes('string')) yield { path, schema }
  if (types(schema).includes('object') || schema.properties) yield { path: [...path, { name: true }], schema }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* placesOf(inner, [...path, name])
  if (schema.items) yield* placesOf(schema.items, [...path, 0])
  if (typeof schema.additionalProperties === 'object')
    yield* placesOf(schema.additionalProperties, [...path, 'x'])
  for (const inner of schema.anyOf ?? []) yield* placesOf(inner, path)
}

/** A copy of a value with a text at a path. */
function put(value, [step, ...rest], text) {
  if (step === undefined) return text
  if (typeof step === 'object') return { ...value, [text]: 1 }
  const isList = typeof step === 'number'
  const copy = isList ? [...(Array.isArray(value) ? value : [])] : { ...(typeof value === 'object' && value) }
  copy[step] = put(copy[step], rest, text)
  return copy
}

const named = (path) => path.map((step) => (typeof step === 'object' ? '(a name)' : step)).join('/')

/** For each endpoint: a sandbox, and for each of its places a function that makes the call with a text there. */
export async function* callsOf(createSandbox) {
  for (const endpoint of endpoints) {
    const sandbox = createSandbox()
    const { call } = await sampleOf({ ...endpoint, example: endpoint.example ?? undefined }, sandbox)
    const headers = { ...call.headers, ...(endpoint.body && { 'content-type': 'application/json' }) }
    const places = []
    const place = (name, make) => places.push({ name, make: (text) => ({ ...call, headers, ...make(text) }) })
    const base = call.path.split('?')[0]
    place('path', (text) => ({ path: base + text }))
    place('query', (text) => ({ path: `${base}?${text}` }))
    place('query name', (text) => ({ path: base, query: { [text]: 'x' } }))
    for (const name of ['authorization', 'x-api-key', 'content-type', 'last-event-id', 'host'])
      place(`header ${name}`, (text) => ({ headers: { ...headers, [name]: text } }))
    for (const name of Object.keys({ workspace: 1, ...endpoint.query?.properties }))
      place(`query ${name}`, (text) => ({ path: base, query: { ...call.query, [name]: text } }))
    for (const [, name] of endpoint.path.matchAll(/\{(\w+)\}/g))
      place(`parameter ${name}`, (text) => ({
        path: endpoint.path.replace(`{${name}}`, encodeURIComponent(text)).replace(/\{\w+\}/g, 'x'),
      }))
    if (endpoint.body) {
      place('body', (text) => ({ body: text }))
      for (const { path } of placesOf(endpoint.body))
        place(`body ${named(path)}`, (text) => ({ body: JSON.stringify(put(call.body ?? {}, path, text)) }))
    }
    if (endpoint.form) {
      const form = { grant_type: 'client_credentials' }
      for (const name of Object.keys(endpoint.form.properties))
        place(`form ${name}`, (text) => ({ body: new URLSearchParams({ ...form, [name]: text }).toString() }))
    }
    yield { endpoint, sandbox, places }
  }
}

/** Texts that are slow for patterns and loops of a careless kind, of any length. */
export const texts = [
  (length) => 'a'.repeat(length - 1) + '\u0000',
  (length) => ' '.repeat(length - 1) + 'x',
  (length) => '1'.repeat(length - 1) + '.',
  (length) => 'a=b&'.repeat(length / 4),
  (length) => '/.'.repeat(length / 2),
  (length) => '-*'.repeat(length / 2),
  (length) => 'P1D'.repeat(length / 3),
]
