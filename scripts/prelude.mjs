// Makes the files that a thread of card code loads: the worker in one file, the engine, and the image of its memory.
// Bundles the guest (src/card-code/guest), which is what card code sees, into one script that the engine evaluates. Its
// completion value is the function `install`; nothing becomes a global by being loaded. The package holds the memory of
// the engine after that: threads load it instead of evaluating the script.
import { build } from 'esbuild'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { imageFile } from '../dist/card-code/image.js'
import { buildImage } from '../dist/card-code/worker/machine.js'
import { recordBundled } from './licences.mjs'

const { outputFiles, metafile } = await build({
  entryPoints: ['src/card-code/guest/main.ts'],
  bundle: true,
  // moment's languages import its ES module: the same one has to serve the guest.
  mainFields: ['jsnext:main', 'browser', 'module', 'main'],
  format: 'cjs',
  platform: 'browser',
  target: 'es2022',
  charset: 'ascii',
  // Names are kept: console shows those of the guest's classes.
  keepNames: true,
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'inline',
  tsconfig: 'src/card-code/guest/tsconfig.json',
  write: false,
  metafile: true,
})
// Card code may replace `Object.defineProperty` and similar functions: inside the bundle these names are copies made at
// load.
const captured = `'use strict'
const { Object, JSON, Math, Reflect } = (() => {
const all = globalThis
const copy = (target, source) => {
  for (const name of all.Reflect.ownKeys(source))
    if (name !== 'length' && name !== 'name' && name !== 'prototype') target[name] = source[name]
  return target
}
const Native = all.Object
const object = function Object(value) { return Native(value) }
object.prototype = Native.prototype
const empty = () => Native.create(null)
return {
  Object: copy(object, Native),
  JSON: copy(empty(), all.JSON),
  Math: copy(empty(), all.Math),
  Reflect: copy(empty(), all.Reflect),
}
})()`

// The helper that keeps names must not read `get` or `set` from Object.prototype.
const helper = '"name",{value,configurable:!0}'
const bundle = outputFiles[0].text
if (!bundle.includes(helper)) throw new Error('esbuild names functions in another way')
const named = bundle.replace(helper, '"name",{__proto__:null,value,configurable:!0}')
const script = `(function (module) {\n${captured}\n${named}\nreturn module.exports.install\n})({ exports: {} })\n`

// In one file, because a thread starts faster. The engine's loader gets its WebAssembly and reads no file.
const worker = await build({
  entryPoints: ['dist/card-code/worker/worker.js'],
  outfile: 'dist/card-code/worker.js',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifyWhitespace: true,
  legalComments: 'inline',
  logLevel: 'warning',
  metafile: true,
  plugins: [
    {
      // Their ES modules read a file beside themselves at run time: it is included.
      name: 'vendored',
      setup: ({ onResolve }) =>
        onResolve({ filter: /\/vendor\/\w+\.mjs$/ }, ({ path: name, resolveDir }) => ({
          path: path.resolve(resolveDir, name.replace(/\.mjs$/, '.cjs')),
        })),
    },
  ],
})

recordBundled('card-code', { inputs: { ...metafile.inputs, ...worker.metafile.inputs } })

const wasm = await readFile(
  createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm'),
)
await writeFile('dist/card-code/engine.wasm', wasm)
// The engine stores the name of the zone and a seed from the time in its memory: here both are fixed, so that the same
// source gives the same image.
process.env.TZ = 'UTC'
Date.now = () => 0
await writeFile('dist/card-code/prelude.image', imageFile(await buildImage(wasm, script), wasm))
