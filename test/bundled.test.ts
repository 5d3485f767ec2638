// Packages that are bundled are not installed: whatever the compiled modules import must be there, and the licence of
// everything that is bundled must be shipped.

import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

interface Manifest {
  readonly version: string
  readonly files: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>
}

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')
const manifestOf = (folder: string): Manifest => JSON.parse(read(folder, 'package.json')) as Manifest
const own = manifestOf('.')
const installed = { ...own.dependencies, ...own.peerDependenciesMeta }

/** Dependencies of bundled packages that the bank does not use are omitted. */
const leftOut = [
  '@opentelemetry/api',
  'body-parser',
  'fontkit',
  'png-js',
  'fflate',
  'pako',
  'require-from-string',
  'tdigest',
]

const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]

function filesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => pattern.test(name))
}

/** Packages that the modules of a folder import, by the name in the import. */
function importsIn(folder: string, pattern: RegExp): Set<string> {
  const statements =
    /^(?:import|export)\b(?! type)[^'"\n]*\bfrom '([^']+)'|^\} from '([^']+)'|\bimport\('([^']+)'\)/gm
  const names = filesIn(folder, pattern).flatMap((file) =>
    [...read(folder, file).matchAll(statements)].map(([, a, b, c]) => (a ?? b ?? c)!),
  )
  // The files that `init` writes import the package itself.
  const own = /^(?:\.|sandbox-server\b)/
  return new Set(names.filter((name) => !own.test(name) && !isBuiltin(name)).map(packageOf))
}

/** A peer whose name stands in a variable, so that nobody's bundler looks for it. */
const loadedByName = ['pg']

test('compiled modules import only installed packages', () => {
  const names = importsIn('dist', /^(?!vendor|cjs|command|page\/client|card-code\/worker\b).*\.js$/)
  expect([...names, ...loadedByName].sort()).toEqual([...Object.keys(installed)].sort())
})

test('the licence of every bundled package is shipped verbatim', () => {
  expect(own.files).toContain('THIRD-PARTY-LICENSES.txt')
  const text = read('THIRD-PARTY-LICENSES.txt')
  const sources = importsIn('src', /^(?!.*\.test\.ts$).*\.tsx?$/)
  const bundled = new Set([...sources].filter((name) => !(name in installed)))
  for (const name of bundled)
    for (const each of Object.keys(manifestOf(`node_modules/${name}`).dependencies ?? {}))
      if (!leftOut.includes(each)) bundled.add(each)
  expect(bundled.size).toBeGreaterThan(20)
  for (const name of bundled) {
    const folder = `node_modules/${name}`
    const licence = readdirSync(join(root, folder)).find((file) => /^licen[cs]e/i.test(file))!
    expect([name, text.includes(`\n${name} ${manifestOf(folder).version} (`)]).toEqual([name, true])
    expect([name, text.includes(read(folder, licence).trim())]).toEqual([name, true])
  }
})
