// Builds when dist/ is missing or older than its sources. npm runs it as `prepublish` after `npm ci` in a checkout, also in
// the one that it makes of a repository: a second build there would only waste time.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)
/** The last file that a build writes. */
const built = new URL('dist/command/cli.js', root)
const inputs = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'src',
  'scripts',
  'fixtures',
  'scenarios',
  'types',
]

/** When the newest of a file, or of the files of a folder, was changed. */
function changedMs(url) {
  const stats = statSync(url)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(
    0,
    ...readdirSync(url).map((name) => changedMs(new URL(encodeURIComponent(name), `${url}/`))),
  )
}

const newestMs = Math.max(
  ...inputs
    .map((name) => new URL(name, root))
    .filter((url) => existsSync(url))
    .map(changedMs),
)
if (!existsSync(built) || statSync(built).mtimeMs < newestMs) {
  const { status } = spawnSync('npm', ['run', 'build'], {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  process.exitCode = status ?? 1
}
