// The page in the command: its address in the banner, and the key that opens it.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, watch, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from '@jest/globals'

const cli = fileURLToPath(new URL('../dist/command/cli.js', import.meta.url))

const terminals: ChildProcess[] = []
afterEach(() => {
  // The terminal is closed, and with it the bank.
  for (const terminal of terminals.splice(0)) terminal.kill()
})

/** The command at a terminal of its own, whose keys are pressed by writing to `stdin`. */
async function atTerminal(command: string) {
  const folder = await mkdtemp(join(tmpdir(), 'keys-'))
  // The command of the browser is written to a file.
  const opened = join(folder, 'opened')
  await writeFile(
    join(folder, 'xdg-open'),
    `#!/bin/sh\necho "$1" > '${opened}.part'; mv '${opened}.part' '${opened}'\n`,
  )
  await chmod(join(folder, 'xdg-open'), 0o755)
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH: `${folder}:${process.env.PATH!}` },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  terminals.push(child)
  let shown = ''
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(shown)
      if (found) return found
      const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
      shown += chunk.toString()
    }
  }
  return { child, ended, until, folder, opened }
}

const atLinux = process.platform === 'linux' ? test : test.skip

atLinux('at a terminal o opens the page, and Ctrl C ends the bank', async () => {
  const { child, ended, until, folder, opened } = await atTerminal(
    `exec '${process.execPath}' '${cli}' --port 0`,
  )
  const [, url] = await until(/ page +(http:\S+\/_sandbox\/) {2}\(o opens it\)\r\n/)
  await until(/try it\r\n.*\r\n/)
  const changes = watch(folder)[Symbol.asyncIterator]()
  child.stdin.write('xo')
  while (!existsSync(opened)) await changes.next()
  await changes.return?.()
  expect(await readFile(opened, 'utf8')).toBe(`${url!}\n`)
  child.stdin.write('\u0003')
  expect(await ended).toEqual([0, null])
})

atLinux('in the background of a terminal it goes on, and takes no keys', async () => {
  // With job control a process of the background is stopped when it reads the terminal.
  const command = `bash -mc "'${process.execPath}' '${cli}' --port 0 & echo bank \\$!; wait"`
  const { child, ended, until } = await atTerminal(command)
  // Closing the terminal does not end what runs in its background.
  const [, bank] = await until(/bank (\d+)\r\n/)
  const [, url] = await until(/ page +(http:\S+)_sandbox\/\r\n/)
  expect((await fetch(`${url!}_sandbox/health`)).status).toBe(200)
  child.stdin.write('o')
  expect((await fetch(`${url!}_sandbox/health`)).status).toBe(200)
  process.kill(Number(bank))
  expect(await ended).toEqual([0, null])
  expect(child.killed).toBe(false)
})

test.each(['--no-page', '--no-control'])('with %s the banner names no page', async (flag) => {
  const child = spawn(process.execPath, [cli, flag, '--port', '0'], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let shown = ''
  for await (const chunk of child.stdout) {
    shown += (chunk as Buffer).toString()
    if (shown.includes('try it')) break
  }
  child.kill()
  await once(child, 'exit')
  expect(shown).not.toContain('_sandbox/')
})
