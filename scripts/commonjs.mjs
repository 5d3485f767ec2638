// The CommonJS twin of dist/, in dist/cjs: Jest has a module system of its own, whose require() accepts no ES module on
// Node 20 and 22. File by file, so that every module exists once; files beside a module (fixtures, workers) are still
// found from its ES twin, to which import.meta.url points.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const dist = path.resolve(import.meta.dirname, '../dist')
const cjs = path.join(dist, 'cjs')

/** The modules that users require; all others are imported by these. Vitest is only an ES module. */
const entries = ['index.js', 'express.js', 'msw.js', 'jest.js', 'card.js']

/** The modules that the entries need, directly or not; worker threads and the command stay ES modules. */
function reachable() {
  const found = new Set(entries.map((name) => path.join(dist, name)))
  for (const file of found)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g))
      if (!name.includes('/vendor/')) found.add(path.resolve(path.dirname(file), name))
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
  // In a vm context, as under Jest, import() needs a flag of Node that is rarely set.
  supported: { 'dynamic-import': false },
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  logOverride: { 'empty-import-meta': 'error' },
  plugins: [
    {
      name: 'file-by-file',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /./ }, ({ path: name, kind, importer }) => {
          if (kind === 'entry-point') return undefined
          if (!/\/vendor\/\w+\.mjs$/.test(name)) return { path: name, external: true }
          // Bundled packages exist once, in dist/vendor.
          const twin = path.join(cjs, path.relative(dist, path.dirname(importer)))
          const file = path.relative(twin, path.join(dist, 'vendor', `${path.basename(name, '.mjs')}.cjs`))
          return { path: file.split(path.sep).join('/'), external: true }
        })
        onLoad({ filter: /\.js$/ }, ({ path: file }) => {
          const name = path.relative(dist, file)
          const twin = path.posix.join(
            ...path.relative(path.dirname(path.join(cjs, name)), file).split(path.sep),
          )
          const url = `require("node:url").pathToFileURL(require("node:path").join(__dirname, "${twin}")).href`
          const source = readFileSync(file, 'utf8')
          return { contents: source.replaceAll('import.meta.url', url), resolveDir: path.dirname(file) }
        })
      },
    },
  ],
})
