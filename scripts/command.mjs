// The command in few files, in dist/command: reading a hundred small modules takes longer than running them. Modules
// that are loaded later become separate files, which share modules with the start, so that each exists once.

import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const dist = path.resolve(import.meta.dirname, '../dist')
const outdir = path.join(dist, 'command')

rmSync(outdir, { recursive: true, force: true })
await build({
  entryPoints: [path.join(dist, 'cli.js')],
  outdir,
  // Chunks are beside the entry: files beside a module are found from here, see below.
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [
    {
      name: 'own-address',
      setup({ onLoad, onResolve }) {
        onResolve({ filter: /\/vendor\// }, ({ path: name }) => ({
          path: `../vendor/${path.basename(name)}`,
          external: true,
        }))
        // Fixtures, workers and similar files are found from the compiled module.
        onLoad({ filter: /\.js$/ }, ({ path: file }) => {
          const name = path.relative(dist, file).split(path.sep).join('/')
          const source = readFileSync(file, 'utf8')
          return {
            contents: source.replaceAll('import.meta.url', `new URL("../${name}", import.meta.url).href`),
          }
        })
      },
    },
  ],
})
