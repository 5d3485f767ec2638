// Bundles the guest (src/card-code/guest), which is what card code sees, into one script that the engine evaluates.
// Its completion value is the function `install`; nothing becomes a global by being loaded.
import { build } from 'esbuild'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'

const { outputFiles, metafile } = await build({
  entryPoints: ['src/card-code/guest/main.ts'],
  bundle: true,
  // moment's languages import its ES module: the same one has to serve the guest.
  mainFields: ['jsnext:main', 'browser', 'module', 'main'],
  format: 'cjs',
  platform: 'browser',
  target: 'es2022',
  charset: 'ascii',
  // Names stay: console shows those of the guest's classes.
  keepNames: true,
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'inline',
  tsconfig: 'src/card-code/guest/tsconfig.json',
  write: false,
  metafile: true,
})
// Card code may replace `Object.defineProperty` and its kin: inside the bundle these names stand for copies made at load.
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

// The packages that are bundled are published with the prelude: so are their licences.
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
)
const licences = await Promise.all(
  [...packages].sort().map(async (name) => {
    const files = await readdir(`node_modules/${name}`)
    const licence = files.find((file) => /^licen[cs]e/i.test(file))
    if (licence === undefined) throw new Error(`${name} is bundled and has no licence file`)
    return `${name}\n\n${await readFile(`node_modules/${name}/${licence}`, 'utf8')}`
  }),
)
await mkdir('dist/card-code', { recursive: true })
await writeFile('dist/card-code/prelude.js', script)
await writeFile('dist/card-code/prelude.LICENSES.txt', licences.join('\n----\n\n'))
