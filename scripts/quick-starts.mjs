// Follows the sections of documents exactly that begin with an installation, each in an empty folder with the packed
// package, and then `init` in projects of each kind: node scripts/quick-starts.mjs sandbox-server-1.0.0.tgz [part of a name],
// where `docs/` means the documents alone, and `init,` the projects

import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const root = path.resolve(import.meta.dirname, '..')
const tarball = path.resolve(process.argv[2])
const wanted = process.argv[3] ?? ''
const { devDependencies, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const packed = `sandbox-server-${version}.tgz`
const work = mkdtempSync(path.join(tmpdir(), 'quick-starts-'))

const documents = { 'docs/testing.md': 4, 'docs/typescript.md': 5, 'docs/node-api.md': 2 }

/** The sections that install the package: the blocks of shell, of files, and of shown output, in their order. */
function sectionsOf(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .filter((section) => section.includes(`./${packed}`))
    .map((section) => ({
      name: section.slice(0, section.indexOf('\n')),
      blocks: [...section.matchAll(/^```(\w+)(?: (?:file=(\S+)|node=(\d+)|output))?\n(.*?)^```$/gms)].map(
        ([, kind, file, node, code]) => ({ kind, file, node, code }),
      ),
    }))
}

/** Runs lines in a folder, with another Node if one is named. Returns what they printed. */
function typed(code, folder, node) {
  const bash = ['bash', '-euo', 'pipefail', '-c', `exec 2>&1\n${code}`]
  const [command, ...args] = node ? ['npx', '-y', '-p', `node@${node}`, ...bash] : bash
  const { status, stdout } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  console.log(stdout)
  if (status !== 0) throw new Error(`${code.trim()}: exit code ${status}`)
  return stdout
}

/** Lines of `…` stand for any lines. Node marks its totals with # where its output is not a terminal's. */
function expectShown(shown, printed) {
  const lines = stripVTControlCharacters(printed)
    .split('\n')
    .map((line) => line.replace(/^# /, 'ℹ ').trimEnd())
  for (const line of shown.trimEnd().split('\n'))
    if (line !== '…' && !lines.includes(line)) throw new Error(`${line} was not printed`)
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

/** Projects for `init`: their package.json, what is installed, and further files. */
const projects = {
  'node-test': { manifest: {} },
  'node-test, ES modules': { manifest: { type: 'module' } },
  'node-test, the placeholder of npm': {
    manifest: { type: 'commonjs', scripts: { test: 'echo "Error: no test specified" && exit 1' } },
  },
  'node-test, TypeScript that nothing runs': { manifest: { type: 'module' }, packages: ['typescript@5'] },
  'node-test, tsx': {
    manifest: { type: 'commonjs' },
    packages: ['typescript@5', '@types/node@20', 'tsx'],
    files: { 'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, module: 'nodenext' } }) },
  },
  'node-test, ts-node': {
    manifest: { type: 'commonjs' },
    packages: ['typescript@5', '@types/node@20', 'ts-node'],
    files: {
      'tsconfig.json': JSON.stringify({
        compilerOptions: { strict: true, module: 'esnext', moduleResolution: 'bundler' },
      }),
    },
  },
  jest: { manifest: { scripts: { test: 'jest' } }, packages: [jest] },
  'jest, ES modules': {
    manifest: {
      type: 'module',
      scripts: { test: 'node --experimental-vm-modules node_modules/jest/bin/jest.js' },
    },
    packages: [jest],
  },
  'jest in a package of ES modules': {
    manifest: { type: 'module', scripts: { test: 'jest' } },
    packages: [jest],
  },
  'jest, TypeScript': {
    manifest: { scripts: { test: 'jest' }, jest: { preset: 'ts-jest' } },
    packages: [jest, 'ts-jest@29', '@jest/globals@30', 'typescript@5', '@types/node@20'],
    files: {
      'tsconfig.json': JSON.stringify({
        compilerOptions: { strict: true, module: 'commonjs', esModuleInterop: true },
      }),
    },
  },
  vitest: { manifest: {}, packages: ['vitest@4.1.12'] },
  'vitest, TypeScript': {
    manifest: { type: 'module', scripts: { test: 'vitest run' } },
    packages: ['vitest@4.1.12', 'typescript@5'],
    files: { 'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, module: 'nodenext' } }) },
  },
}

function emptyFolder(name) {
  const folder = path.join(work, name.replace(/\W+/g, '-'))
  mkdirSync(folder)
  copyFileSync(tarball, path.join(folder, packed))
  return folder
}

try {
  for (const [document, count] of Object.entries(documents)) {
    const sections = sectionsOf(readFileSync(path.join(root, document), 'utf8'))
    if (sections.length !== count)
      throw new Error(`${document} has ${sections.length} sections, not ${count}`)
    for (const { name, blocks } of sections) {
      if (!`${document}, ${name}`.includes(wanted)) continue
      console.log(`== ${document}, ${name}`)
      const folder = emptyFolder(`${document}-${name}`)
      let printed = ''
      for (const { kind, file, node, code } of blocks)
        if (file) writeFileSync(path.join(folder, file), code)
        else if (kind === 'sh') printed = typed(code, folder, node)
        else expectShown(code, printed)
    }
  }
  for (const [name, { manifest, packages = [], files = {} }] of Object.entries(projects)) {
    if (!`init, ${name}`.includes(wanted)) continue
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
    for (const line of ['npx sandbox-server init', 'npx sandbox-server init', 'npm test'])
      execFileSync('bash', ['-euo', 'pipefail', '-c', line], { cwd: folder, stdio: 'inherit' })
  }
  console.log('quick-starts: every file runs as printed, and what init writes passes at once')
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
