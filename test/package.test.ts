// The contents of the package, and the scripts that npm runs when it is installed.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string): Promise<string> => readFile(new URL(`../${file}`, import.meta.url), 'utf8')

/** The files of the package. Its scripts are not run: they would build dist/ anew under the other tests. */
async function packed(): Promise<string[]> {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 10_000_000 })
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
  return files.map(({ path }) => path)
}

test('every relative link of a document in the package leads to a file in the package', async () => {
  const files = await packed()
  const documents = files.filter((file) => file.endsWith('.md'))
  expect(documents).toEqual(
    expect.arrayContaining(['README.md', 'bench/README.md', 'docs/decisions.md', 'docs/cookbook/README.md']),
  )
  const links: string[] = []
  for (const document of documents)
    for (const [, link] of (await read(document)).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g))
      // Screenshots are in the repository alone.
      if (!/^\w+:|\.png$/.test(link!)) links.push(posix.join(posix.dirname(document), link!))
  expect(links).toEqual(expect.arrayContaining(['docs/cookbook/README.md', 'docs/cookbook/token-expires.md']))
  expect(links.filter((link) => !files.includes(link))).toEqual([])
  const texts = await Promise.all(
    documents.filter((name) => /^(?:README|docs\/[\w-]+)\.md$/.test(name)).map(read),
  )
  const folders = [...texts.join('\n').matchAll(/`((?:docs|examples|scenarios|bench)\/[\w./-]*)`/g)]
  expect(folders.length).toBeGreaterThan(2)
  expect(
    folders.map(([, path]) => path!).filter((path) => !files.some((file) => file.startsWith(path))),
  ).toEqual([])
})

test('the package contains the sources of the examples, and nothing that was installed or built for them', async () => {
  const examples = (await packed()).filter((file) => file.startsWith('examples/'))
  expect(examples).toEqual(
    expect.arrayContaining(['examples/jest/package.json', 'examples/react/balance.jsx']),
  )
  expect(examples.filter((file) => /node_modules|-lock\.|\.log$/.test(file))).toEqual([])
})

test('installing the package runs no script; npm ci in a checkout builds', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
  // npm warns about these where the packed file or a repository is installed, also about prepare, which it would not run.
  const onInstall = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare']
  expect(onInstall.filter((name) => name in scripts)).toEqual([])
  // npm runs prepublish after `npm ci` in a checkout, also in the one that it makes for a repository, and never else.
  expect(scripts.prepublish).toBe('node scripts/prepare.mjs')
  expect(scripts.prepack).toBe('npm run clean && npm run build && node scripts/lighten.mjs')
  expect(scripts.start).toBe('node dist/command/cli.js')
})

test('the repository has the files that contributors look for, and the package its licence', async () => {
  const files = [
    'LICENSE',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CODE_OF_CONDUCT.md',
    '.editorconfig',
    '.nvmrc',
    'Dockerfile',
    'action.yml',
    '.github/workflows/ci.yml',
    '.github/workflows/release.yml',
  ]
  for (const file of files) expect([file, (await read(file)).length > 0]).toEqual([file, true])
  expect(await packed()).toEqual(expect.arrayContaining(['LICENSE', 'CHANGELOG.md', 'SECURITY.md']))
})

test('no document or example installs the package from the registry by its bare name', async () => {
  const { version } = JSON.parse(await read('package.json')) as { version: string }
  const files = (await packed()).filter(
    (file) => file.startsWith('examples/') && file.endsWith('package.json'),
  )
  for (const file of files) {
    const { devDependencies } = JSON.parse(await read(file)) as { devDependencies: Record<string, string> }
    expect([file, devDependencies['sandbox-server']]).toEqual([file, version])
    for (const [name, range] of Object.entries(devDependencies))
      expect([file, name, range]).toEqual([file, name, expect.stringMatching(/^\d+\.\d+\.\d+$/)])
  }
  const readme = await read('README.md')
  expect(readme).not.toMatch(/npm (?:install|i)\b[^`\n]* sandbox-server\b(?!-)/)
})
