// Lints the entries and the types of the packed package, and packs it first when no tarball is given:
// node scripts/check-package.mjs [sandbox-server-1.0.0.tgz]

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(tmpdir(), 'check-package-'))
const bin = (name) =>
  path.join(root, 'node_modules/.bin', process.platform === 'win32' ? `${name}.cmd` : name)
const shell = process.platform === 'win32'

try {
  const tarball = path.resolve(process.argv[2] ?? pack())
  execFileSync(bin('publint'), ['run', tarball, '--strict'], { stdio: 'inherit', shell })
  const rules = ['--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm']
  execFileSync(bin('attw'), [tarball, ...rules], { stdio: 'inherit', shell })
} finally {
  rmSync(folder, { recursive: true })
}

function pack() {
  const npm = shell ? 'npm.cmd' : 'npm'
  const args = ['pack', '--silent', '--pack-destination', folder]
  const names = execFileSync(npm, args, { cwd: root, encoding: 'utf8', shell }).trim().split('\n')
  return path.join(folder, names.at(-1))
}
