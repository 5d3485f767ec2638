// Runs every example as it stands, with the packed package in place of the published one:
// node scripts/examples.mjs sandbox-server-1.0.0.tgz

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'yaml'

const tarball = path.resolve(process.argv[2])
const examples = path.resolve(import.meta.dirname, '../examples')
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

/** The commands of a workflow; the package under test is installed in place of the published one. */
function workflowCommands(folder) {
  const { jobs } = parse(readFileSync(path.join(folder, '.github/workflows/test.yml'), 'utf8'))
  return Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => (run ? [run] : [])))
}

for (const name of readdirSync(examples)) {
  const folder = mkdtempSync(path.join(tmpdir(), `${name}-`))
  console.log(`== examples/${name}`)
  try {
    cpSync(path.join(examples, name), folder, {
      recursive: true,
      filter: (file) => path.basename(file) !== 'node_modules',
    })
    const run = (command, ...args) => execFileSync(command, args, { cwd: folder, stdio: 'inherit' })
    run(npm, 'install', '--no-fund', '--no-audit', '--no-package-lock', '--silent', tarball)
    if (name !== 'github-actions') run(npm, 'test')
    if (name === 'jest') {
      run(npm, 'install', '--no-fund', '--no-audit', '--no-package-lock', '--silent', 'jest@29')
      run(npm, 'test')
    }
    if (name === 'github-actions')
      for (const command of workflowCommands(folder))
        if (command !== 'npm install') run('bash', '-euo', 'pipefail', '-c', command)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
