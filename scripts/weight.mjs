// The weight of an installation of the package: node scripts/weight.mjs sandbox-server-1.0.0.tgz [--cold] Packages and
// megabytes have limits. --cold also measures, with empty npm caches, `npx` from the tarball until its first answer,
// beside an installation of Express alone until its first answer.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

const max = { packedMb: 3, packages: 1, installedMb: 20 }
const rounds = 3

const tarball = path.resolve(process.argv[2])
const work = mkdtempSync(path.join(tmpdir(), 'weight-'))
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'

const bareExpress = `
const app = require('express')()
app.get('/', (request, response) => response.json({}))
const server = app.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: 'http://127.0.0.1:' + server.address().port + '/' })))
`

try {
  const folder = emptyFolder('installed')
  install(folder, tarball)
  const found = {
    packedMb: statSync(tarball).size / 1e6,
    packages: packagesIn(path.join(folder, 'node_modules')),
    installedMb: bytesOf(path.join(folder, 'node_modules')) / 1e6,
  }
  for (const [name, limit] of Object.entries(max)) {
    console.log(`weight: ${name} ${Number(found[name].toFixed(2))}, at most ${limit}`)
    if (found[name] > limit) process.exitCode = 1
  }
  if (process.argv.includes('--cold')) await compareColdStarts()
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}

function emptyFolder(name) {
  const folder = path.join(work, name)
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "empty", "private": true }\n')
  return folder
}

function install(folder, what, ...flags) {
  const args = ['install', '--no-fund', '--no-audit', '--no-package-lock', '--silent', ...flags, what]
  execFileSync(npm, args, { cwd: folder, stdio: 'inherit' })
}

function packagesIn(folder) {
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'))
  return names
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(path.join(folder, name)).map((each) => `${name}/${each}`) : [name],
    )
    .map((name) => {
      const nested = path.join(folder, name, 'node_modules')
      return 1 + (statSync(nested, { throwIfNoEntry: false }) ? packagesIn(nested) : 0)
    })
    .reduce((total, count) => total + count, 0)
}

/** The disk usage of a folder; when blocks are unknown, the bytes of its files. */
function bytesOf(folder) {
  return [folder, ...readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name))]
    .map((name) => statSync(name))
    .reduce((total, { blocks, size }) => total + (blocks ? blocks * 512 : size), 0)
}

async function compareColdStarts() {
  const ours = []
  const express = []
  for (let round = 0; round < rounds; round++) {
    ours.push(
      await timed(`npx-${round}`, (folder, cache) =>
        start(
          npx,
          ['--yes', '--cache', cache, '--package', tarball, 'sandbox-server', '--port', '0', '--json'],
          folder,
        ),
      ),
    )
    express.push(
      await timed(`express-${round}`, (folder, cache) => {
        install(folder, 'express', '--cache', cache)
        writeFileSync(path.join(folder, 'server.cjs'), bareExpress)
        return start(process.execPath, ['server.cjs'], folder)
      }),
    )
  }
  const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]
  const seconds = (times) => times.map((ms) => (ms / 1000).toFixed(1)).join(', ')
  console.log(`weight: cold npx until the first 200: ${seconds(ours)} s`)
  console.log(`weight: cold install of Express until its first 200: ${seconds(express)} s`)
  console.log(`weight: ratio of the medians ${(median(ours) / median(express)).toFixed(2)}, at most 1.5`)
}

/** Milliseconds until the server that `launch` starts has answered 200, in an empty folder with an empty npm cache. */
async function timed(name, launch) {
  const folder = emptyFolder(name)
  const begin = performance.now()
  const child = launch(folder, path.join(work, `${name}-cache`))
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url } = JSON.parse(line)
  const response = await fetch(url.endsWith('/') ? url : `${url}/_sandbox/health`)
  const ms = performance.now() - begin
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
  const ended = once(child, 'exit')
  if (process.platform === 'win32') child.kill()
  else process.kill(-child.pid, 'SIGTERM')
  await ended
  return ms
}

function start(command, args, cwd) {
  return spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: process.platform !== 'win32',
  })
}
