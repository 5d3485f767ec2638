// Bundles packages, so that users need not install them: each becomes one file in dist/vendor, with an ES module that
// loads it, and the modules in dist/ import that. Only the used parts of a package are included. Packages of the user
// (msw, test runners) are not bundled.

import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { faker as southAfrican } from '@faker-js/faker/locale/en_ZA'
import { build } from 'esbuild'
import { recordBundled } from './licences.mjs'

const root = path.resolve(import.meta.dirname, '..')
const dist = path.join(root, 'dist')
const vendor = path.join(dist, 'vendor')

rmSync(vendor, { recursive: true, force: true })

/** Of the lists of names, the household needs those of people and places: without the others loading takes half the time. */
const { person, location, metadata } = southAfrican.rawDefinitions

/** The imported package, the name of the file that replaces it, and the exports of that file. */
const vendored = [
  [
    '@faker-js/faker/locale/en_ZA',
    'faker',
    `import { Faker } from '@faker-js/faker'
      export const faker = new Faker({ locale: ${JSON.stringify({ person, location, metadata })} })`,
  ],
  ['acorn', 'acorn', "export * from 'acorn'"],
  ['ajv/dist/2020.js', 'ajv', "export { _, Ajv2020, Name } from 'ajv/dist/2020.js'"],
  ['express', 'express', "export { default } from 'express'"],
  ['ipaddr.js', 'ipaddr', "export { default } from 'ipaddr.js'"],
  ['pdfkit', 'pdfkit', "export { default } from 'pdfkit'"],
  [
    'prom-client',
    'prom-client',
    ['Counter', 'Gauge', 'Histogram', 'Registry']
      .map((name) => `export { default as ${name} } from 'prom-client/lib/${name.toLowerCase()}.js'`)
      .concat("export { default as collectDefaultMetrics } from 'prom-client/lib/defaultMetrics.js'")
      .join('\n'),
  ],
  [
    'yaml',
    'yaml',
    "export { Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml'",
  ],
]

/**
 * Omitted: the PDF writer reads font files and pictures with two of these, which the bank's documents do not have;
 * Express reads bodies with the third, and our handler has already read them; metrics name traces with the fourth.
 */
const unused = /^(fontkit|png-js|body-parser|@opentelemetry\/api)$/

const trimmed = {
  name: 'trimmed',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: unused }, ({ path: name }) => ({ path: name, namespace: 'unused' }))
    onLoad({ filter: /.*/, namespace: 'unused' }, ({ path: name }) => ({
      contents: `const absent = () => { throw new Error('${name} is not bundled') }
        export { absent as create, absent as default, absent as json, absent as raw, absent as text, absent as urlencoded }`,
    }))
    // The widths of the standard fonts are modules that pdfkit finds at run time.
    onLoad({ filter: /pdfkit\.node\.mjs$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8')
      const contents = source
        .replace('const require$1 = createRequire(import.meta.url);', '')
        .replaceAll("require$1('#standard-fonts/", "require('#standard-fonts/")
        // Of use for PDF/A alone.
        .replace("new URL('./data/sRGB_IEC61966_2_1.icc', import.meta.url).href", "''")
      if (/require\$1|import\.meta/.test(contents)) throw new Error('pdfkit finds its fonts in another way')
      return { contents, resolveDir: path.dirname(file) }
    })
  },
}

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: vendored.map(([, name]) => ({ in: `vendored:${name}`, out: name })),
  outdir: vendor,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  // Both the ES modules and their CommonJS twins can load it, so that there is one of each.
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  mainFields: ['module', 'main'],
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  plugins: [
    {
      name: 'vendored',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^vendored:/ }, ({ path: name }) => ({
          path: name.slice('vendored:'.length),
          namespace: 'vendored',
        }))
        onLoad({ filter: /.*/, namespace: 'vendored' }, ({ path: name }) => ({
          contents: vendored.find(([, each]) => each === name)[2],
          resolveDir: root,
        }))
      },
    },
    trimmed,
  ],
})
// The default import of a CommonJS module is `module.exports`.
for (const [, name, contents] of vendored)
  if (isDefault(contents))
    appendFileSync(path.join(vendor, `${name}.cjs`), 'module.exports = module.exports.default;\n')
for (const [, name] of vendored) writeFileSync(path.join(vendor, `${name}.mjs`), moduleOf(name))
recordBundled('vendor', metafile)
pointModulesToThem()

function isDefault(contents) {
  return contents.startsWith('export { default }')
}

/**
 * The ES module of a file. If the file itself were imported, Node would scan all of it for its exports: a third of the
 * time of a short command.
 */
function moduleOf(name) {
  const names = Object.keys(createRequire(import.meta.url)(path.join(vendor, `${name}.cjs`)))
  const [, , contents] = vendored.find(([, each]) => each === name)
  return [
    "import { createRequire } from 'node:module'",
    `const found = createRequire(import.meta.url)('./${name}.cjs')`,
    isDefault(contents) ? 'export default found' : `export const { ${names.join(', ')} } = found`,
    '',
  ].join('\n')
}

/** Lets the compiled modules import the files. */
function pointModulesToThem() {
  const names = new Map(vendored.map(([specifier, name]) => [specifier, name]))
  for (const file of readdirSync(dist, { recursive: true })) {
    if (!file.endsWith('.js') || /^(cjs|vendor|command|page[\\/]client)\b/.test(file)) continue
    const at = path.join(dist, file)
    const source = readFileSync(at, 'utf8')
    const pointed = source.replace(/(\bfrom |\bimport\()'([^'.][^']*)'/g, (whole, before, specifier) => {
      const name = names.get(specifier)
      if (name === undefined) return whole
      const up = path.relative(path.dirname(at), path.join(vendor, `${name}.mjs`))
      return `${before}'${up.split(path.sep).join('/')}'`
    })
    if (pointed !== source) writeFileSync(at, pointed)
  }
}
