// Copies only the declaration files that the entries need into dist/. They must compile in a project without our
// dependencies' types, so their imports of packages are checked here.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

const dist = path.resolve(import.meta.dirname, '../dist')
const types = path.join(dist, '.types')
const entries = ['index', 'express', 'msw', 'jest', 'vitest', 'card'].map((name) => `${name}.d.ts`)

/** The packages that a user of these entries has installed. */
const allowed = { msw: ['msw'], vitest: ['vitest'], jest: ['@jest/globals', '@jest/expect'] }

for (const name of readdirSync(dist, { recursive: true }))
  if (name.endsWith('.d.ts') && !name.startsWith('.types') && !name.startsWith('cjs'))
    rmSync(path.join(dist, name))

/** Each needed file, and the first file that needs it. */
const needed = new Map(entries.map((file) => [file, 'package.json']))
const faults = []
for (const [file, by] of needed) {
  const text = readFileSync(path.join(types, file), 'utf8')
  for (const [, name] of text.matchAll(/(?:from|import\(|declare module|import)\s*['"]([^'"]+)['"]/g)) {
    const target = path.posix.join(path.posix.dirname(file), name.replace(/\.js$/, '.d.ts'))
    if (name.startsWith('.')) {
      if (!needed.has(target)) needed.set(target, file)
    } else if (
      !Object.entries(allowed).some(([entry, names]) => file.includes(`${entry}.`) && names.includes(name))
    )
      faults.push(`${file}, which ${by} imports, imports the types of ${name}`)
  }
  if (/\bBuffer\b|\bNodeJS\.|reference types=/.test(text)) faults.push(`${file} names types of Node`)
}
if (faults.length > 0)
  throw new Error(
    `The public types are not self-contained; mark what is not public with @internal:\n${faults.join('\n')}`,
  )
for (const file of needed.keys()) {
  mkdirSync(path.dirname(path.join(dist, file)), { recursive: true })
  cpSync(path.join(types, file), path.join(dist, file))
}
