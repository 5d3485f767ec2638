import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const readFixture = (name: string) => readFileSync(join(root, 'fixtures', name), 'utf8')

test('the reference fixtures match their packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reference-fixtures-'))
  try {
    execFileSync(process.execPath, [join(root, 'scripts/reference-fixtures.mjs'), folder])
    for (const name of ['countries.json', 'merchant-categories.json']) {
      expect(readFileSync(join(folder, name), 'utf8')).toBe(readFixture(name))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each(['countries', 'currencies', 'merchant-categories'])(
  'fixtures/%s.json matches its schema',
  (name) => {
    const ajv = new Ajv2020({ allErrors: true })
    ajv.validate(
      JSON.parse(readFixture(`${name}.schema.json`)) as object,
      JSON.parse(readFixture(`${name}.json`)),
    )
    expect(ajv.errors).toBeNull()
  },
)
