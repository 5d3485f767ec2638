// Follows docs/testing.md exactly, each section in an empty folder with the packed package, and then `init` in projects
// of each kind: node scripts/quick-starts.mjs sandbox-server-1.0.0.tgz

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const tarball = path.resolve(process.argv[2])
const { devDependencies, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const packed = `sandbox-server-${version}.tgz`
const work = mkdtempSync(path.join(tmpdir(), 'quick-starts-'))

/** Each way to test, by its heading: the blocks of shell and of files, in their order. */
function sectionsOf(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      name: section.slice(0, section.indexOf('\n')),
      blocks: [...section.matchAll(/^```(sh|js file=(\S+))\n(.*?)^```$/gms)].map(([, , file, code]) => ({
        file,
        code,
      })),
    }))
}

/** Versions of the test runners that work with the oldest Node, without their scripts. */
const install = (...names) => [
  'npm',
  'install',
  '--no-fund',
  '--no-audit',
  '--silent',
  '--save-dev',
  ...names,
]
const jest = `jest@${devDependencies.jest.replace('^', '')}`

/** Projects for `init`: their package.json, what is installed, further files, and the command that runs the tests. */
const projects = {
  'node-test': { manifest: {}, run: 'node --test' },
  'node-test, ES modules': { manifest: { type: 'module' }, run: 'node --test' },
  jest: { manifest: { scripts: { test: 'jest' } }, packages: [jest], run: 'npm test' },
  'jest, ES modules': {
    manifest: {
      type: 'module',
      scripts: { test: 'node --experimental-vm-modules node_modules/jest/bin/jest.js' },
    },
    packages: [jest],
    run: 'npm test',
  },
  'jest in a package of ES modules': {
    manifest: { type: 'module', scripts: { test: 'jest' } },
    packages: [jest],
    run: 'npm test',
  },
  'jest, TypeScript': {
    manifest: { scripts: { test: 'jest' }, jest: { preset: 'ts-jest' } },
    packages: [jest, 'ts-jest@29', '@jest/globals@30', 'typescript@5', '@types/node@20'],
    files: {
      'tsconfig.json': JSON.stringify({
        compilerOptions: { strict: true, module: 'commonjs', esModuleInterop: true },
      }),
    },
    run: 'npm test',
  },
  vitest: { manifest: {}, packages: ['vitest@4.1.12'], run: 'npx vitest run' },
  'vitest, TypeScript': {
    manifest: { type: 'module', scripts: { test: 'vitest run' } },
    packages: ['vitest@4.1.12', 'typescript@5'],
    files: { 'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, module: 'nodenext' } }) },
    run: 'npm test',
  },
}

function emptyFolder(name) {
  const folder = path.join(work, name.replace(/\W+/g, '-'))
  mkdirSync(folder)
  copyFileSync(tarball, path.join(folder, packed))
  return folder
}

try {
  const text = readFileSync(path.join(root, 'docs/testing.md'), 'utf8')
  const sections = sectionsOf(text)
  if (sections.length !== 4) throw new Error('docs/testing.md has four sections')
  for (const { name, blocks } of sections) {
    console.log(`== docs/testing.md, ${name}`)
    const folder = emptyFolder(name)
    for (const { file, code } of blocks)
      if (file) writeFileSync(path.join(folder, file), code)
      else execFileSync('bash', ['-euo', 'pipefail', '-c', code], { cwd: folder, stdio: 'inherit' })
  }
  for (const [name, { manifest, packages = [], files = {}, run }] of Object.entries(projects)) {
    console.log(`== sandbox-server init, ${name}`)
    const folder = emptyFolder(`init-${name}`)
    writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ name: 'project', private: true, ...manifest }, null, 2),
    )
    for (const [file, content] of Object.entries(files)) writeFileSync(path.join(folder, file), content)
    mkdirSync(path.join(folder, '.github/workflows'), { recursive: true })
    const [command, ...rest] = install(`./${packed}`, ...packages)
    execFileSync(command, rest, { cwd: folder, stdio: 'inherit' })
    for (const line of ['npx sandbox-server init', 'npx sandbox-server init', run])
      execFileSync('bash', ['-euo', 'pipefail', '-c', line], { cwd: folder, stdio: 'inherit' })
  }
  console.log('quick-starts: every file runs as printed, and what init writes passes at once')
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
