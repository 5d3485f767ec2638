// `npm ci` builds, and so does `npm install` in a clone: only when necessary.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../scripts/prepare.mjs', import.meta.url))

test('prepare builds when dist/ is missing or older than its sources, and never otherwise', async () => {
  const root = await mkdtemp(join(tmpdir(), 'prepare '))
  const built = join(root, 'dist/command/cli.js')
  const source = join(root, 'src/bank/odd name.ts')
  try {
    for (const folder of ['src/bank', 'scripts']) await mkdir(join(root, folder), { recursive: true })
    await cp(script, join(root, 'scripts/prepare.mjs'))
    await writeFile(source, '')
    const build = `node -e "fs.mkdirSync('dist/command',{recursive:true});fs.appendFileSync('dist/command/cli.js','x')"`
    await writeFile(join(root, 'package.json'), JSON.stringify({ scripts: { build } }))
    const builds = async (): Promise<number> => {
      await run(process.execPath, ['scripts/prepare.mjs'], { cwd: root })
      return (await readFile(built, 'utf8')).length
    }
    expect([await builds(), await builds()]).toEqual([1, 1])
    const later = new Date(Date.now() + 60_000)
    await utimes(source, later, later)
    expect(await builds()).toBe(2)
  } finally {
    await rm(root, { recursive: true })
  }
})
