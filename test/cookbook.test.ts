// The pages of the cookbook stay correct: their code is run unchanged.

import { expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../docs/cookbook/', import.meta.url))
const cli = fileURLToPath(new URL('../dist/command/cli.js', import.meta.url))
const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')

const blocks = (page: string, language: string): string[] =>
  Array.from(
    readFileSync(folder + page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm')),
    ([, code]) => code!,
  )

test('the cookbook lists its pages', () => {
  expect(pages).toHaveLength(8)
  const list = readFileSync(`${folder}README.md`, 'utf8')
  for (const page of pages) expect(list).toContain(`](${page})`)
})

test.each(pages)('the code of %s runs', async (page) => {
  const programs = blocks(page, 'js')
  expect(programs).toHaveLength(1)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', programs[0]!], { cwd: folder })
  expect(stdout).toMatch(/^(#|ℹ) pass 1$/m)
  for (const script of blocks(page, 'sh')) {
    const command = script.replace('npx sandbox-server', `"${process.execPath}" "${cli}"`)
    await run('bash', ['-euo', 'pipefail', '-c', command], { cwd: folder })
  }
})
