// Writes scenarios/scenario.schema.json, by which editors complete scenario files, from the declaration in
// src/scenario/scenario-file.ts: `npm run build && npm run scenario-schema`. `--check` only says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { ScenarioFile } from '../dist/scenario/scenario-file.js'

const file = new URL('../scenarios/scenario.schema.json', import.meta.url)
const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...ScenarioFile }
const text = `${JSON.stringify(schema, null, 2)}\n`
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('scenarios/scenario.schema.json is out of date: run npm run scenario-schema')
  process.exit(1)
}
