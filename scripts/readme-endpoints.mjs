// Writes the README's tables of endpoints from the declarations, between its markers: npm run readme. With --check it
// only says whether they are true.

import { readFileSync, writeFileSync } from 'node:fs'
import { control } from '../dist/control/index.js'
import { service } from '../dist/service/index.js'
import { format } from 'prettier'

const file = new URL('../README.md', import.meta.url)

const cell = (text) => text.replaceAll('|', '\\|')

function table(endpoints, withPermission) {
  const head = withPermission
    ? ['| Method and path | What | Permission |', '| --- | --- | --- |']
    : ['| Method and path | What |', '| --- | --- |']
  const rows = endpoints.map(({ method, path, aliases = [], summary, permission }) => {
    const paths = [path, ...aliases].map((each) => `\`${method} ${each}\``).join(', ')
    return withPermission
      ? `| ${paths} | ${cell(summary)} | ${permission ?? ''} |`
      : `| ${paths} | ${cell(summary)} |`
  })
  return [...head, ...rows].join('\n')
}

const between = (text, name, content) => {
  const pattern = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- /${name} -->)`)
  if (!pattern.test(text)) throw new Error(`README.md has no markers for ${name}`)
  return text.replace(pattern, (_all, open, close) => `${open}\n${content}\n${close}`)
}

const before = readFileSync(file, 'utf8')
const written = between(between(before, 'service', table(service, true)), 'control', table(control, false))
const after = await format(written, { parser: 'markdown', semi: false, singleQuote: true, printWidth: 110 })
if (process.argv.includes('--check')) {
  if (after !== before)
    throw new Error('the tables of README.md are not those of the declarations: npm run readme')
} else writeFileSync(file, after)
