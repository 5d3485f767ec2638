// Executes every step of the Dockerfile and of action.yml without a container engine, each stage in a folder of its own:
// node scripts/container-steps.mjs. Checks the promises of the image and the action.

import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parse } from 'yaml'
import { freePort } from './free-port.mjs'

const root = path.resolve(import.meta.dirname, '..')
const work = mkdtempSync(path.join(tmpdir(), 'container-steps-'))

try {
  checkout()
  await runImage(buildImage())
  await runAction()
  console.log('container-steps: every step of the Dockerfile and of action.yml works')
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** The files of a checkout: those that git tracks, and new files that it does not ignore. */
function checkout() {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  })
  for (const file of list
    .toString()
    .split('\0')
    .filter((each) => each && existsSync(path.join(root, each))))
    cpSync(path.join(root, file), path.join(work, 'checkout', file))
}

/** Follows the Dockerfile and returns its last stage: folder, environment, and the commands that it declares. */
function buildImage() {
  const text = readFileSync(path.join(root, 'Dockerfile'), 'utf8').replace(/\\\n/g, ' ')
  const stages = []
  const stage = () => stages.at(-1)
  const inStage = (name, { folder, workdir } = stage()) => path.join(folder, path.resolve(workdir, name))
  const steps = {
    FROM: (rest) => {
      const [, base, , name = ''] = /^(\S+)( AS (\S+))?$/.exec(rest)
      assert.match(base, /^node:\d+/)
      stages.push({
        name,
        folder: path.join(work, `stage-${stages.length}`),
        workdir: '/',
        env: {},
        user: 'root',
      })
    },
    WORKDIR: (rest) => {
      stage().workdir = rest
      mkdirSync(inStage('.'), { recursive: true })
    },
    COPY: (rest) => {
      const parts = rest.split(/\s+/)
      const target = parts.pop()
      const from = /^--from=(.*)/.exec(parts[0])?.[1]
      const source = from
        ? stages.find(({ name }) => name === from)
        : { folder: path.join(work, 'checkout'), workdir: '/' }
      for (const each of parts.slice(from ? 1 : 0)) {
        const file = inStage(each, source)
        cpSync(file, each === '.' ? inStage(target) : path.join(inStage(target), path.basename(file)), {
          recursive: true,
        })
      }
    },
    RUN: (rest) => shell(rest, inStage('.'), stage().env),
    ENV: (rest) => {
      for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/g)) stage().env[name] = value
    },
    EXPOSE: (rest) => void (stage().port = rest),
    USER: (rest) => void (stage().user = rest),
    HEALTHCHECK: (rest) => void (stage().health = JSON.parse(/CMD (.*)$/.exec(rest)[1])),
    ENTRYPOINT: (rest) => void (stage().entry = JSON.parse(rest)),
  }
  for (const line of text.split('\n').filter((each) => each.trim() !== '' && !each.startsWith('#'))) {
    const [, instruction, rest] = /^(\w+)\s+(.*)$/.exec(line)
    console.log(`== ${line}`)
    assert.ok(instruction in steps, `${instruction} has no counterpart in scripts/container-steps.mjs`)
    steps[instruction](rest.trim())
  }
  const image = stage()
  assert.equal(stages.length, 2)
  assert.notEqual(image.user, 'root')
  assert.equal(image.env.SANDBOX_HOST, '0.0.0.0')
  assert.equal(image.env.SANDBOX_PORT, image.port)
  return { ...image, folder: inStage('.', image) }
}

/** Runs the image like `docker run -e SANDBOX_PORT=… -e SANDBOX_ALLOW_HOST=bank`, on a loopback address. */
async function runImage({ folder, env, entry, health }) {
  const port = await freePort()
  const given = {
    SANDBOX_PORT: String(port),
    SANDBOX_HOST: '127.0.0.1',
    SANDBOX_ALLOW_HOST: 'bank',
    SANDBOX_JSON: '1',
  }
  const environment = { PATH: process.env.PATH, ...env, ...given }
  assert.notEqual(await healthOf(), 0, 'the health check must fail while nothing runs')
  const bank = spawn(entry[0], entry.slice(1), {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[line], [said]] = await Promise.all([firstLine(bank.stdout), firstLine(bank.stderr)])
  assert.equal(JSON.parse(line).event, 'ready')
  const [, token] = /^Control token, generated for this start: (\S{32})$/.exec(said)
  assert.equal(await healthOf(), 0)
  assert.equal(await statusAs('bank', port, { authorization: `Bearer ${token}` }), 200)
  assert.equal(await statusAs('bank', port), 401)
  assert.equal(await statusAs('elsewhere.example', port, { authorization: `Bearer ${token}` }), 401)
  bank.kill('SIGTERM')
  const [code] = await once(bank, 'exit')
  assert.equal(code, 0)

  async function healthOf() {
    const check = spawn(health[0], health.slice(1), { cwd: folder, env: environment, stdio: 'ignore' })
    return (await once(check, 'exit'))[0]
  }
}

/** Runs the steps of action.yml one after the other, as a runner does. */
async function runAction() {
  const { inputs, runs } = parse(readFileSync(path.join(root, 'action.yml'), 'utf8'))
  const temp = path.join(work, 'runner')
  mkdirSync(temp)
  const files = Object.fromEntries(
    ['GITHUB_ENV', 'GITHUB_OUTPUT'].map((name) => [name, path.join(temp, name.toLowerCase())]),
  )
  for (const file of Object.values(files)) writeFileSync(file, '')
  const given = { ...Object.fromEntries(Object.entries(inputs).map(([name, each]) => [name, each.default])) }
  given.args = '--now 2026-03-25 --seed 7'
  const fill = (value) => value.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name) => given[name])
  for (const { name, shell: kind, run, env = {} } of runs.steps) {
    console.log(`== action: ${name}`)
    assert.equal(kind, 'bash')
    const own = Object.fromEntries(Object.entries(env).map(([variable, value]) => [variable, fill(value)]))
    const context = { GITHUB_ACTION_PATH: path.join(work, 'checkout'), RUNNER_TEMP: temp, ...files }
    shell(run, temp, { ...own, ...context })
  }
  const variables = readVariables(files.GITHUB_ENV)
  const outputs = readVariables(files.GITHUB_OUTPUT)
  try {
    assert.deepEqual(Object.keys(variables), [
      'SANDBOX_URL',
      'SANDBOX_CLIENT_ID',
      'SANDBOX_CLIENT_SECRET',
      'SANDBOX_API_KEY',
    ])
    assert.equal(outputs.url, variables.SANDBOX_URL)
    const clock = await (await fetch(`${outputs.url}/_sandbox/clock`)).json()
    assert.deepEqual(clock, { now: '2026-03-25T00:00:00.000Z', frozen: true })
  } finally {
    process.kill(Number(outputs.pid), 'SIGTERM')
  }
}

function readVariables(file) {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return Object.fromEntries(lines.map((line) => /^([^=]*)=(.*)$/.exec(line).slice(1)))
}

function shell(command, cwd, env) {
  const { status } = spawnSync('bash', ['-eo', 'pipefail', '-c', command], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  assert.equal(status, 0, `this step failed: ${command}`)
}

function firstLine(stream) {
  return once(createInterface(stream), 'line')
}

/** The status of a health check with this Host header. */
async function statusAs(host, port, headers = {}) {
  const asked = request({ host: '127.0.0.1', port, path: '/_sandbox/health', headers: { ...headers, host } })
  asked.end()
  const [response] = await once(asked, 'response')
  response.resume()
  return response.statusCode
}
