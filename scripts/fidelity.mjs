// Writes docs/fidelity.md from the table in src/protocol/behaviour.ts: `npm run fidelity`. `--check` only says whether
// the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { format } from 'prettier'
import { differences } from '../dist/protocol/behaviour.js'

const file = new URL('../docs/fidelity.md', import.meta.url)
const cell = (text) => text.replaceAll('|', '\\|')
const rows = differences.map(({ what, documented, observed, source }) =>
  ['', what, documented, observed, source, ''].map(cell).join('|'),
)
const text = await format(
  `# Where the service's document and the live service disagree

The setting \`behaviour\` chooses: \`documented\`, the default, follows the service's document; \`observed\` follows what the
live service was seen to do. Set it with \`--behaviour observed\`, with the option \`behaviour\` of the Node API, in a scenario's
\`settings\`, or with \`PUT /_sandbox/settings\`.

| What | \`documented\` | \`observed\` | Source |
|---|---|---|---|
${rows.join('\n')}

Whatever body a refusal has, its code is in the header \`sandbox-problem\`, and why the call was refused is in the log of
requests and in the journal (\`GET /_sandbox/requests\`).

This table is generated from \`src/protocol/behaviour.ts\`.
`,
  { parser: 'markdown', printWidth: 110, proseWrap: 'preserve' },
)
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('docs/fidelity.md is out of date: run npm run fidelity')
  process.exit(1)
}
