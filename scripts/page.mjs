// Bundles the web page (src/page/client) into dist/page/client: the shell, one script, one style sheet, and the editor as a
// chunk that is loaded when it is first opened. Names contain a hash of the content.

import { build } from 'esbuild'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { recordBundled } from './licences.mjs'

const root = path.resolve(import.meta.dirname, '..')
const source = path.join(root, 'src/page/client')
const target = path.join(root, 'dist/page/client')

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { app: path.join(source, 'main.tsx') },
  outdir: target,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  metafile: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
})

const style = (
  await build({ entryPoints: [path.join(source, 'page.css')], bundle: true, minify: true, write: false })
).outputFiles[0].contents
const styleName = `app-${createHash('sha256').update(style).digest('hex').slice(0, 8)}.css`
writeFileSync(path.join(target, styleName), style)

const script = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint)[0]
const shell = readFileSync(path.join(source, 'index.html'), 'utf8')
  .replace('page/app.css', `page/${styleName}`)
  .replace('page/app.js', `page/${path.basename(script)}`)
writeFileSync(path.join(target, 'index.html'), shell)

recordBundled('page', metafile)
