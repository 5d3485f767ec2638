// Writes src/node-api/api-types.ts, the types that users see, from the endpoints' declarations: a named interface for
// each record, with the schema's descriptions as hover text. Run by the build; the file is not checked in, so it cannot
// differ from the declarations.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = path.resolve(import.meta.dirname, '..')
const target = path.join(root, 'src/node-api/api-types.ts')

/** The declarations, compiled on their own: the build proper needs the types that this script writes. */
async function declarations() {
  const folder = mkdtempSync(path.join(root, 'node_modules/.api-types-'))
  try {
    const outfile = path.join(folder, 'declarations.mjs')
    await build({
      stdin: {
        contents: `export { control } from './src/control/index.ts'
          export { service } from './src/service/index.ts'
          export { ScenarioFile } from './src/scenario/scenario-file.ts'
          export { ProblemDetails } from './src/protocol/refusal.ts'`,
        resolveDir: root,
      },
      outfile,
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const { control, service, ScenarioFile, ProblemDetails } = await declarations()
const interfaces = new Map()

/** `/** text *​/` at an indentation, or nothing. */
function comment(lines, indent) {
  const text = lines
    .filter((line) => line !== undefined && line !== '')
    .map((line) => line.replaceAll('*/', '* /'))
  if (text.length === 0) return ''
  if (text.length === 1) return `${indent}/** ${text[0]} */\n`
  return `${indent}/**\n${text.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

const formats = {
  date: 'A calendar date, such as 2026-03-25.',
  'date-time': 'An instant in UTC, such as 2026-03-25T08:00:00.000Z.',
}

/** What an editor shows: the description, or what the schema's keywords say. */
function hover(schema) {
  const { title, description = formats[schema.format], default: usual, minimum, maximum, items } = schema
  const range = minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}.` : undefined
  const text = description ?? (title === undefined ? (range ?? items?.description) : undefined)
  return [text, usual === undefined ? undefined : `@default ${JSON.stringify(usual)}`]
}

/** The name of a property, quoted where it must be. */
const nameOf = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

function members(schema, indent) {
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties ?? {})
    .map(([name, each]) => {
      const type = typeOf(each, indent)
      const optional = required.has(name) ? '' : '?'
      return `${comment(hover(each), indent)}${indent}${nameOf(name)}${optional}: ${type}${optional && ' | undefined'}\n`
    })
    .join('')
}

function objectType(schema, indent) {
  if (schema.properties) return `{\n${members(schema, `${indent}  `)}${indent}}`
  if (typeof schema.additionalProperties === 'object')
    return `Record<string, ${typeOf(schema.additionalProperties, indent)}>`
  return 'Record<string, unknown>'
}

/** The TypeScript type of what a schema describes; a titled object becomes an interface of that name. */
function typeOf(schema, indent = '') {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => typeOf(each, indent)))].join(' | ')
  const types = [schema.type].flat()
  return types.map((type) => ofType(type, schema, indent)).join(' | ')
}

function ofType(type, schema, indent) {
  switch (type) {
    case 'integer':
      return 'number'
    case 'array': {
      const items = schema.items ? typeOf(schema.items, indent) : 'unknown'
      return items.includes('|') ? `(${items})[]` : `${items}[]`
    }
    case 'object':
      return schema.title !== undefined && schema.properties ? named(schema) : objectType(schema, indent)
    case undefined:
      return 'unknown'
    default:
      return type
  }
}

function named(schema) {
  const { title, description } = schema
  // A member may describe in its own words what a shared record is for.
  const text = JSON.stringify({ ...schema, description: '' })
  const known = interfaces.get(title)
  if (known && known.text !== text) throw new Error(`Two different schemas are called ${title}.`)
  if (!known) {
    const entry = { text, code: '' }
    interfaces.set(title, entry)
    entry.code = `${comment([description], '')}export interface ${title} {\n${members(schema, '  ')}}\n`
  }
  return title
}

const paramsOf = ({ path: template }) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)

/** What the caller gets: the answer without its envelope, and bytes where it is no JSON. */
const answerOf = ({ produces, response }) => (produces === undefined ? typeOf(response, '  ') : 'Uint8Array')

function operation(endpoint) {
  const { method, path: template, query, body } = endpoint
  const parts = [
    query && `query: ${typeOf(query, '    ')}`,
    body && `body: ${typeOf(body, '    ')}`,
    `answer: ${answerOf(endpoint)}`,
  ]
  const text = parts
    .filter(Boolean)
    .map((part) => `    ${part}\n`)
    .join('')
  return `${comment([`${endpoint.summary}.`], '  ')}  '${method} ${template}': {\n${text}  }\n`
}

function clientMethod(endpoint) {
  const { name, summary, method, path: template, permission, query, body } = endpoint
  const parameters = paramsOf(endpoint).map((each) => `${each}: string`)
  if (body) parameters.push(`body: ${typeOf(body, '  ')}`)
  if (query) parameters.push(`query${query.required ? '' : '?'}: ${typeOf(query, '  ')}`)
  const needs = permission === undefined ? '' : ` Needs the permission \`${permission}\`.`
  const lines = [`${summary}.`, `\`${method} ${template}\`.${needs}`]
  return `${comment(lines, '  ')}  ${name}(${parameters.join(', ')}): Promise<${answerOf(endpoint)}>\n`
}

const scenarios = readdirSync(path.join(root, 'scenarios'))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace('.yaml', ''))
const names = [...new Set(['default', ...scenarios])].sort()

typeOf(ScenarioFile)
typeOf(ProblemDetails)
const client = service
  .filter(({ auth }) => auth === 'token')
  .map(clientMethod)
  .join('')
const operations = control.map(operation).join('')
const records = [...interfaces.values()].map(({ code }) => code).join('\n')
const text = `// Written by scripts/api-types.mjs from the endpoints' declarations. Do not edit.

/** The names of the shipped scenarios. */
export type ShippedScenario = ${names.map((name) => `'${name}'`).join(' | ')}

/** What a scenario file says. */
export type ScenarioFile = Scenario

/** The service's API, one method for each endpoint. Methods resolve with the data, without the envelope. */
export interface ServiceClient {
${client}}

/** The endpoints of the control API: query, body and answer. */
export interface ControlOperations {
${operations}}

${records}`
// An unchanged file keeps its time, so that an incremental build has nothing to do.
let before
try {
  before = readFileSync(target, 'utf8')
} catch {
  before = undefined
}
if (before !== text) writeFileSync(target, text)
