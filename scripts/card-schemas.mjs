// Writes scenarios/card-test.schema.json and scenarios/card-run.schema.json from their declarations in src/card-loop/:
// `npm run build && npm run card-schemas`. `--check` only says whether they are up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { CaseFileSchema } from '../dist/card-loop/case-schema.js'
import { RunSchema } from '../dist/card-loop/run-schema.js'

const schemas = { 'card-test.schema.json': CaseFileSchema, 'card-run.schema.json': RunSchema }
for (const [name, schema] of Object.entries(schemas)) {
  const file = new URL(`../scenarios/${name}`, import.meta.url)
  const document = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`scenarios/${name} is out of date: run npm run card-schemas`)
    process.exit(1)
  }
}
