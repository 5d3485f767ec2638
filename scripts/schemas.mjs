// Writes the JSON Schemas that editors and tests read from their declarations: `npm run build && npm run schemas`.
// `--check` only says whether they are up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { CaseFileSchema } from '../dist/card-loop/case-schema.js'
import { RunSchema } from '../dist/card-loop/run-schema.js'
import { fixtureSchemas } from '../dist/household/fixture-schemas.js'
import { ScenarioFile } from '../dist/scenario/scenario-file.js'

const schemas = {
  'scenarios/scenario': ScenarioFile,
  'scenarios/card-test': CaseFileSchema,
  'scenarios/card-run': RunSchema,
  ...Object.fromEntries(Object.entries(fixtureSchemas).map(([name, schema]) => [`fixtures/${name}`, schema])),
}

const old = Object.entries(schemas).filter(([name, schema]) => {
  const file = new URL(`../${name}.schema.json`, import.meta.url)
  const document = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (readFileSync(file, 'utf8') === text) return false
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  return true
})
if (process.argv.includes('--check') && old.length > 0) {
  console.error(`Out of date: ${old.map(([name]) => `${name}.schema.json`).join(', ')}; run npm run schemas`)
  process.exit(1)
}
