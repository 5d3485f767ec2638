// The CommonJS twin of dist/, in dist/cjs: Jest has a module system of its own, whose require() takes no ES module on
// Node 20 and 22. File by file, so that every module exists once; what stands beside a module (fixtures, workers) is
// still found from its ES twin, which is what import.meta.url becomes.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'

const dist = path.resolve(import.meta.dirname, '../dist')
const cjs = path.join(dist, 'cjs')

const require = createRequire(import.meta.url)

/** What the user brings is never copied: there must be one of it. */
const { peerDependencies: peers } = require('../package.json')

/** Packages whose build for browsers is an ES module: Jest takes that one in its jsdom environment. */
const browserIsEsm = new Set(['yaml'])

/** Whether a package goes into the twin of the one file that imports it, because Jest could not require it. */
function isInlined(name) {
  if (isBuiltin(name) || name in peers) return false
  if (browserIsEsm.has(name)) return true
  const file = require.resolve(name)
  if (!file.endsWith('.js')) return file.endsWith('.mjs')
  let folder = path.dirname(file)
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder)
  return require(path.join(folder, 'package.json')).type === 'module'
}

/** What users require; everything else is there because one of these imports it. Vitest is an ES module alone. */
const entries = ['index.js', 'express.js', 'msw.js', 'jest.js', 'card.js']

/** The modules that the entries need, directly or not; worker threads and the command stay ES modules. */
function reachable() {
  const found = new Set(entries.map((name) => path.join(dist, name)))
  for (const file of found)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g))
      found.add(path.resolve(path.dirname(file), name))
  return [...found]
}

rmSync(cjs, { recursive: true, force: true })
const files = readdirSync(dist, { recursive: true })
  .map((each) => each.replaceAll(path.sep, '/'))
  .filter((each) => !each.startsWith('.types/'))
mkdirSync(cjs)
writeFileSync(path.join(cjs, 'package.json'), '{ "type": "commonjs" }\n')

for (const name of files.filter((each) => each.endsWith('.d.ts'))) {
  mkdirSync(path.dirname(path.join(cjs, name)), { recursive: true })
  copyFileSync(path.join(dist, name), path.join(cjs, name))
}

await build({
  entryPoints: reachable(),
  outbase: dist,
  outdir: cjs,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  // Where code runs in a vm context, as under Jest, import() needs a flag of Node that nobody sets.
  supported: { 'dynamic-import': false },
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  logOverride: { 'empty-import-meta': 'error' },
  plugins: [
    {
      name: 'file-by-file',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^\./ }, ({ path: name, importer }) =>
          importer.startsWith(dist) ? { path: name, external: true } : undefined,
        )
        onResolve({ filter: /^[^./]/ }, ({ path: name, importer }) =>
          importer.startsWith(dist) && !isInlined(name) ? { path: name, external: true } : undefined,
        )
        onLoad({ filter: /\.js$/ }, ({ path: file }) => {
          if (!file.startsWith(dist)) return undefined
          const name = path.relative(dist, file)
          const twin = path.posix.join(
            ...path.relative(path.dirname(path.join(cjs, name)), file).split(path.sep),
          )
          const url = `require("node:url").pathToFileURL(require("node:path").join(__dirname, "${twin}")).href`
          const source = readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
          return { contents: source.replaceAll('import.meta.url', url), resolveDir: path.dirname(file) }
        })
      },
    },
  ],
})
