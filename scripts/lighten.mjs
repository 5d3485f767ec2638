// Takes comments and spaces out of the ES modules of dist/ before they are packed: the types keep the texts that editors
// show. It runs in `prepack` alone, so that a checkout keeps modules that are easy to debug.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { transformSync } from 'esbuild'

const dist = path.resolve(import.meta.dirname, '../dist')
/** What other steps of the build have made small already. */
const isSmall = /^(cjs|command|vendor|page\/client|card-code\/worker)\b/

for (const name of readdirSync(dist, { recursive: true }).map((each) => each.replaceAll(path.sep, '/'))) {
  if (!name.endsWith('.js') || isSmall.test(name)) continue
  const file = path.join(dist, name)
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    target: 'node20.19',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
  })
  writeFileSync(file, code)
}
