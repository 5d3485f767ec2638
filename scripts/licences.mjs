// The licences of everything that is bundled, in THIRD-PARTY-LICENSES.txt. Each script that bundles records its parts,
// and the file is rewritten from all records.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const records = path.join(root, 'dist/.bundled')

/** Notes the packages whose files are among the inputs of esbuild, and writes the licences of all parts. */
export function recordBundled(part, { inputs }) {
  const packages = new Set(
    Object.keys(inputs).flatMap(
      (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
    ),
  )
  mkdirSync(records, { recursive: true })
  writeFileSync(path.join(records, `${part}.json`), JSON.stringify([...packages].sort()))
  writeLicences()
}

function writeLicences() {
  const names = new Set(
    readdirSync(records).flatMap((file) => JSON.parse(readFileSync(path.join(records, file), 'utf8'))),
  )
  const head = 'This package contains code of the packages below. Each comes with its licence.\n'
  writeFileSync(
    path.join(root, 'THIRD-PARTY-LICENSES.txt'),
    [head, ...[...names].sort().map(licenceOf)].join(`\n${'-'.repeat(72)}\n\n`),
  )
}

function licenceOf(name) {
  const folder = path.join(root, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  if (files.length === 0) throw new Error(`${name} is bundled and has no licence file`)
  const texts = files.sort().map((file) => readFileSync(path.join(folder, file), 'utf8').trim())
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
}
