// A directory with card code in it, and the commands of `sandbox-server card` run there, in this process.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runCard } from '../src/card-loop/command.js'

export interface Printed {
  readonly code: number
  readonly out: string
  readonly err: string
}

export class CardDesk {
  readonly directory = mkdtempSync(join(tmpdir(), 'card-'))

  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [file, text] of Object.entries(files)) this.write(file, text)
  }

  write(file: string, text: string | Uint8Array): void {
    const path = join(this.directory, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  read(file: string): string {
    return readFileSync(join(this.directory, file), 'utf8')
  }

  /** Runs `card …`, the arguments separated by spaces; a list where one of them has a space. */
  async card(line: string | readonly string[]): Promise<Printed> {
    const out: string[] = []
    const err: string[] = []
    const code = await runCard(typeof line === 'string' ? line.split(' ') : line, {
      print: (text) => void out.push(text),
      complain: (text) => void err.push(text),
      directory: this.directory,
      isTerminal: false,
      size: { columns: 80, rows: 24 },
    })
    return { code, out: out.join('\n'), err: err.join('\n') }
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}
