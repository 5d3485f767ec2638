// Draws docs/pictures/terminal.svg from a real run: a bank that listens, calls over HTTP, and the log in a terminal of
// 80 columns. Real milliseconds differ in every run; the rest is the same. With --print it prints the text.

import { writeFileSync } from 'node:fs'
import { banner } from '../dist/cli/banner.js'
import { painter } from '../dist/cli/colours.js'
import { Log } from '../dist/cli/log.js'
import { listen } from '../dist/http/server.js'
import { Sandbox } from '../dist/sandbox/sandbox.js'

const account = '4675778129910189600000003'
const code = `const beforeTransaction = async ({ centsAmount }) => {
  const isAllowed = centsAmount <= 50000
  if (!isAllowed) console.log('above the limit of 50000 cents')
  return isAllowed
}
const afterTransaction = async () => {}
`

/** The lines of the run, with colours as a terminal gets them. */
async function record() {
  const sandbox = new Sandbox({ nowMs: Date.parse('2026-03-25T08:00:00Z') })
  // Like a bank that has been open for a moment: the history is made, the engine of card code is loaded.
  await sandbox.main.open()
  sandbox.warmCardCode()
  await (await sandbox.runner()).warm()
  const lines = []
  const log = new Log({
    ask: async (path) => JSON.parse(String((await sandbox.handle({ method: 'GET', path })).body)),
    print: (text) => lines.push(...text.split('\n')),
    style: () => ({ paint: painter(true), width: 80, isVerbose: false }),
    isJson: false,
  })
  sandbox.workspaces.watch((event, workspace) => log.take(event, workspace))
  const onRequest = (line) => log.takeLine(line, new Date(sandbox.main.clock.now()).toISOString(), 'default')
  const listening = await listen(sandbox, { host: '127.0.0.1', port: 0, onRequest })
  const { url } = listening
  try {
    const shown = banner(sandbox.main, url).replaceAll(url, 'http://127.0.0.1:3300').split('\n')
    const { clientId, clientSecret, apiKeys } = sandbox.main.credentials.clients[0]
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const signedIn = await fetch(`${url}/identity/v2/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'x-api-key': apiKeys[0].key },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const { access_token: token } = await signedIn.json()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const call = async (path, body) => {
      const method = body === undefined ? 'GET' : 'POST'
      const init = { method, headers, body: body && JSON.stringify(body) }
      const response = await fetch(url + path, init).catch(() => undefined)
      return response?.json()
    }
    await call(`/za/pb/v1/accounts/${account}/balance`)
    await call(`/za/pb/v1/accounts/${account}/transactions?fromDate=2026-02-30`)
    await call('/_sandbox/faults', {
      match: { path: '/za/**/paymultiple' },
      times: 1,
      fault: { kind: 'reset', when: 'afterCommit' },
    })
    const payment = { beneficiaryId: 'MTAxODc2NTQzMjAwMDE=', amount: '2000.00', myReference: 'Housekeeping' }
    await call(`/za/pb/v1/accounts/${account}/paymultiple`, {
      paymentList: [{ ...payment, theirReference: 'Naidoo' }],
    })
    const { data } = await call('/za/v1/cards/700615/code', { code })
    await call('/za/v1/cards/700615/publish', { codeid: data.result.codeId, code: '' })
    for (const [centsAmount, categoryCode] of [
      [8495, '5462'],
      [60000, '5812'],
    ])
      await call('/_sandbox/cards/700615/transactions', { centsAmount, merchant: { categoryCode } })
    await call('/_sandbox/clock', { advance: 'P1M' })
    await log.finish()
    const end = shown.indexOf('')
    const rows = shown.slice(end + 1, shown.indexOf('', end + 1))
    return ['$ npx sandbox-server --now 2026-03-25T08:00:00Z', shown[0], ...rows, '', ...lines]
  } finally {
    await listening.close()
    await sandbox.close()
  }
}

const [columns, charWidth, lineHeight, padding] = [80, 8.4, 19, 16]
const classes = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 35: 'magenta', 36: 'cyan' }
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Each run of one colour is placed at its column, so that columns align in every font. */
function drawn(line, row) {
  const y = padding + 13 + row * lineHeight
  let column = 0
  return [...line.matchAll(/(?:\u001b\[(\d+)m)?([^\u001b]+)(?:\u001b\[0m)?/g)]
    .map(([, colour, text]) => {
      const x = (padding + column * charWidth).toFixed(1)
      const width = (text.length * charWidth).toFixed(1)
      column += text.length
      const style = colour ? ` class="${classes[colour]}"` : ''
      return text.trim() === ''
        ? ''
        : `<text x="${x}" y="${y}" textLength="${width}" xml:space="preserve"${style}>${escaped(text)}</text>`
    })
    .join('')
}

function picture(lines) {
  const width = Math.ceil(columns * charWidth + 2 * padding)
  const height = lines.length * lineHeight + 2 * padding
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: the bank starts, and its log explains each call">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#e6edf3}.dim{fill:#8b949e}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}.magenta{fill:#d2a8ff}.cyan{fill:#79c0ff}.bold{font-weight:bold}</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${lines.map(drawn).filter(Boolean).join('\n')}
</svg>
`
}

const lines = await record()
const plain = lines.map((line) => line.replaceAll(/\u001b\[\d+m/g, ''))
if (process.argv.includes('--print')) console.log(plain.join('\n'))
else writeFileSync(new URL('../docs/pictures/terminal.svg', import.meta.url), picture(lines))
