// Bundles the world that card code sees (src/card-code/guest) into one script, which the runner evaluates in the engine.
// Its completion value is the function `install`; nothing becomes a global by being loaded.
import { build } from 'esbuild'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'

const { outputFiles, metafile } = await build({
  entryPoints: ['src/card-code/guest/main.ts'],
  bundle: true,
  format: 'cjs',
  platform: 'browser',
  target: 'es2022',
  charset: 'ascii',
  // Names stay: classes of the world show theirs.
  keepNames: true,
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'inline',
  tsconfig: 'src/card-code/guest/tsconfig.json',
  write: false,
  metafile: true,
})
const script = `(function (module) {\n${outputFiles[0].text}\nreturn module.exports.install\n})({ exports: {} })\n`

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
