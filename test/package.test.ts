// What the package holds: its documents lead nowhere else, and installing it in a checkout runs no script.

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
      if (!/^\w+:/.test(link!)) links.push(posix.join(posix.dirname(document), link!))
  expect(links).toEqual(expect.arrayContaining(['docs/cookbook/README.md', 'docs/cookbook/token-expires.md']))
  expect(links.filter((link) => !files.includes(link))).toEqual([])
  const folders = [...(await read('README.md')).matchAll(/`((?:docs|examples|scenarios|bench)\/[\w./-]*)`/g)]
  expect(folders.length).toBeGreaterThan(2)
  expect(
    folders.map(([, path]) => path!).filter((path) => !files.some((file) => file.startsWith(path))),
  ).toEqual([])
})

test('the package holds the sources of the examples, and nothing that was installed or built for them', async () => {
  const examples = (await packed()).filter((file) => file.startsWith('examples/'))
  expect(examples).toEqual(
    expect.arrayContaining(['examples/jest/package.json', 'examples/react/balance.jsx']),
  )
  expect(examples.filter((file) => /node_modules|-lock\.|\.log$/.test(file))).toEqual([])
})

test('installing runs no script of ours', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
  const run = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish']
  expect(run.filter((name) => name in scripts)).toEqual([])
  expect(scripts.prepack).toBe('npm run clean && npm run build')
})
