// Writes the tables of docs/ from the declarations, between their markers: npm run docs. With --check it only says
// whether they are up to date.

import { readFileSync, writeFileSync } from 'node:fs'
import { format } from 'prettier'
import { commands } from '../dist/cli/options.js'
import { roomCommands } from '../dist/cli/room-commands.js'
import { control } from '../dist/control/index.js'
import { FaultRule } from '../dist/faults/faults.js'
import { differences } from '../dist/protocol/behaviour.js'
import { hasVariable, optionTable } from '../dist/node-api/options.js'
import { ScenarioFile } from '../dist/scenario/scenario-file.js'
import { scenarioNames, loadShipped } from '../dist/scenario/scenario.js'
import { service } from '../dist/service/index.js'
import { SettingsOnWire, standardSettings, settingsOnWire } from '../dist/settings/settings.js'

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
const code = (text) => `\`${cell(text)}\``
const sentence = (text) => cell(text.charAt(0).toUpperCase() + text.slice(1))

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const endpointRow = ({ method, path, aliases = [], summary }) => [
  [path, ...aliases].map((each) => code(`${method} ${each}`)).join(', '),
  cell(summary),
]

const variableOf = (flag) => `SANDBOX_${flag.toUpperCase().replaceAll('-', '_')}`

function flags() {
  const rows = Object.values(optionTable).filter(({ flag }) => flag !== undefined)
  return table(
    ['Flag', 'Environment', 'What it does'],
    rows.map(({ flag, short, placeholder, where, description }) => [
      code(`--${flag}${placeholder ? ` ${placeholder}` : ''}`) + (short ? `, ${code(`-${short}`)}` : ''),
      hasVariable({ where, short }) ? code(variableOf(flag)) : '',
      sentence(description),
    ]),
  )
}

const commandTable = () =>
  table(
    ['Command', 'What it does'],
    [
      ...Object.entries(commands).map(([name, { operands, text }]) => [
        code(`${name} ${operands}`.trim()),
        sentence(text),
      ]),
      ...Object.values(roomCommands).map(({ usage, text }) => [code(usage), sentence(text)]),
    ],
  )

/** The values that a schema accepts, in a few words. */
function kindOf(schema) {
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ')
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.anyOf) return schema.anyOf.map(kindOf).join(' or ')
  if (schema.type === 'array') return `list of ${kindOf(schema.items ?? {})}`
  return schema.title
    ? schema.title.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
    : [schema.type ?? 'any'].flat().join(' or ')
}

const memberRows = ({ properties = {}, required = [] }) =>
  Object.entries(properties).map(([name, schema]) => [
    code(name) + (required.includes(name) ? '' : ''),
    kindOf(schema),
    cell(schema.description ?? ''),
  ])

function settings() {
  const defaults = settingsOnWire(standardSettings)
  const rows = Object.entries(SettingsOnWire.properties).flatMap(([name, schema]) =>
    name === 'hooks'
      ? Object.entries(schema.properties).map(([hook, inner]) => [
          `hooks.${hook}`,
          inner,
          defaults.hooks[hook],
        ])
      : [[name, schema, defaults[name]]],
  )
  return table(
    ['Setting', 'Default', 'Takes', 'What it does'],
    rows.map(([name, schema, initial]) => [
      code(name),
      code(JSON.stringify(initial)),
      kindOf(schema),
      cell(schema.description ?? ''),
    ]),
  )
}

async function shipped() {
  const rows = []
  for (const name of scenarioNames()) rows.push([code(name), cell((await loadShipped(name)).description)])
  return table(['Scenario', 'What it is for'], rows)
}

function scenarioKeys() {
  const parts = [['Scenario', ScenarioFile]]
  const list = (name) => ScenarioFile.properties[name].items
  for (const name of ['accounts', 'beneficiaries', 'cards', 'timeline'])
    parts.push([`Items of \`${name}\``, list(name)])
  return parts
    .map(
      ([title, schema]) => `#### ${title}\n\n${table(['Key', 'Takes', 'What it does'], memberRows(schema))}`,
    )
    .join('\n\n')
}

const faultKeys = () =>
  [
    ['A rule', FaultRule],
    ['`match`', FaultRule.properties.match],
    ['`fault`', FaultRule.properties.fault],
  ]
    .map(
      ([title, schema]) => `#### ${title}\n\n${table(['Key', 'Takes', 'What it does'], memberRows(schema))}`,
    )
    .join('\n\n')

/** Each document, and the text between its markers. */
const documents = {
  'docs/cli.md': { commands: commandTable(), flags: flags() },
  'docs/service-api.md': {
    service: table(
      ['Method and path', 'What it does', 'Permission'],
      service.map((endpoint) => [...endpointRow(endpoint), endpoint.permission ?? '']),
    ),
  },
  'docs/control-api.md': { control: table(['Method and path', 'What it does'], control.map(endpointRow)) },
  'docs/fidelity.md': {
    behaviour: table(
      ['What', '`documented`', '`observed`', 'Source'],
      differences.map(({ what, documented, observed, source }) =>
        [what, documented, observed, source].map(cell),
      ),
    ),
  },
  'docs/settings.md': { settings: settings() },
  'docs/scenarios.md': { shipped: await shipped(), keys: scenarioKeys() },
  'docs/faults.md': { keys: faultKeys() },
}

const outdated = []
for (const [name, parts] of Object.entries(documents)) {
  const file = new URL(`../${name}`, import.meta.url)
  const before = readFileSync(file, 'utf8')
  let text = before
  for (const [marker, content] of Object.entries(parts)) {
    const pattern = new RegExp(`(<!-- ${marker} -->\n)[^]*?(\n<!-- /${marker} -->)`)
    if (!pattern.test(text)) throw new Error(`${name} has no markers for ${marker}`)
    text = text.replace(pattern, (_all, open, close) => `${open}\n${content}\n${close}`)
  }
  const after = await format(text, { parser: 'markdown', semi: false, singleQuote: true, printWidth: 110 })
  if (after === before) continue
  if (process.argv.includes('--check')) outdated.push(name)
  else writeFileSync(file, after)
}
if (outdated.length > 0) {
  console.error(`${outdated.join(', ')}: not those of the declarations any more; run npm run docs`)
  process.exit(1)
}
