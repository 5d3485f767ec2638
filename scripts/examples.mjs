// Runs every example unchanged, with the packed package instead of the published one: node scripts/examples.mjs
// sandbox-server-1.0.0.tgz

import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parse } from 'yaml'

const tarball = path.resolve(process.argv[2])
const examples = path.resolve(import.meta.dirname, '../examples')
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

/** The commands of a workflow and their variables; the package under test is installed instead of the published one. */
function workflowSteps(folder, file) {
  const { jobs } = parse(readFileSync(path.join(folder, '.github/workflows', file), 'utf8'))
  return Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .filter(({ run }) => run && run !== 'npm install')
}

/** Runs the workflow with a sandbox as the real service: unchanged, and again with a service that has drifted. */
async function runNightly(folder) {
  const cli = path.join(folder, 'node_modules/sandbox-server/dist/command/cli.js')
  const service = spawn(process.execPath, [cli, '--port', '0', '--json', '--seed', '7'], { stdio: 'pipe' })
  try {
    let ready
    for await (const line of createInterface({ input: service.stdout })) {
      ready = JSON.parse(line)
      if (ready.event === 'ready') break
    }
    service.stdout.resume()
    service.stderr.resume()
    const values = {
      'vars.BANK_URL': ready.url,
      'secrets.BANK_CLIENT_ID': ready.clientId,
      'secrets.BANK_CLIENT_SECRET': ready.clientSecret,
      'secrets.BANK_API_KEY': ready.apiKey,
    }
    const night = () => {
      for (const { run, env = {} } of workflowSteps(folder, 'drift.yml')) {
        const given = Object.entries(env).map(([name, text]) => [
          name,
          text.replace(/\$\{\{ (.*?) \}\}/g, (_, value) => {
            assert.ok(value in values, `the workflow needs ${value}`)
            return values[value]
          }),
        ])
        const { status, stdout } = spawnSync('bash', ['-eo', 'pipefail', '-c', run], {
          cwd: folder,
          env: { ...process.env, ...Object.fromEntries(given) },
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        })
        console.log(stdout.trimEnd())
        if (status !== 0) return status
      }
      return 0
    }
    assert.equal(night(), 0)
    assert.ok(existsSync(path.join(folder, 'drift.html')))
    const fault = { match: { path: '/za/pb/v1/accounts/beneficiaries' }, fault: { status: 418 } }
    const added = await fetch(`${ready.url}/_sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    })
    assert.equal(added.status, 200, await added.text())
    assert.equal(night(), 1)
    assert.match(readFileSync(path.join(folder, 'drift.html'), 'utf8'), /beneficiaries.*418/s)
  } finally {
    const ended = once(service, 'exit')
    service.kill()
    await ended
  }
}

const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory())

for (const { name } of folders) {
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
    if (name === 'vitest') {
      // Vitest's own module systems, and its fake timers, which no test here can try.
      cpSync(path.join(import.meta.dirname, '../test/vitest'), folder, { recursive: true })
      const vitest = path.join(folder, 'node_modules/vitest/vitest.mjs')
      for (const pool of ['threads', 'forks', 'vmThreads', 'vmForks'])
        run(process.execPath, vitest, 'run', `--pool=${pool}`)
    }
    if (name === 'github-actions')
      for (const step of workflowSteps(folder, 'test.yml')) run('bash', '-euo', 'pipefail', '-c', step.run)
    if (name === 'nightly-drift') await runNightly(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
console.log(`examples: ${folders.length} run with the packed package`)
