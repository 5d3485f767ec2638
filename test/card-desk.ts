// A directory with card code in it, and the commands of `sandbox-server card` run there, in this process.

import { EventEmitter } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runCard } from '../src/card-loop/command.js'
import type { KeySource } from '../src/card-loop/keys.js'

export interface Printed {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A command at a terminal, of which the test is the screen and the keyboard. */
export class WatchedCommand {
  /** Everything that was painted. */
  readonly screens: string[] = []
  /** Whether the terminal passes on each key at once. */
  isRaw = false
  readonly ended: Promise<number>
  readonly #keyboard = new EventEmitter()
  #seen = 0
  #wake: (() => void) | undefined

  constructor(argv: readonly string[], directory: string) {
    const print = (text: string): void => {
      this.screens.push(text)
      this.#wake?.()
    }
    const keyboard = this.#keyboard
    const keys: KeySource = {
      isTTY: true,
      setRawMode: (isRaw) => (this.isRaw = isRaw),
      on: (event, hear) => keyboard.on(event, hear),
      off: (event, hear) => keyboard.off(event, hear),
      resume: () => undefined,
      pause: () => undefined,
    }
    this.ended = runCard(argv, { print, complain: print, directory, isTerminal: true, keys })
  }

  /** The next unread screen, without the codes that clear the one before. */
  async next(): Promise<string> {
    while (this.screens.length <= this.#seen)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    return this.screens[this.#seen++]!.replace(/\u001b\[\d*[JH]/g, '')
  }

  press(key: string): void {
    this.#keyboard.emit('data', Buffer.from(key))
  }

  /** Ends it like a user. */
  async quit(): Promise<number> {
    this.press('q')
    return this.ended
  }
}

export class CardDesk {
  readonly #root = mkdtempSync(join(tmpdir(), 'card-'))
  /** The directory in which commands run. */
  directory = this.#root

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

  /** Runs a command that does not end by itself, such as `card watch`, at a terminal. */
  watch(line: string): WatchedCommand {
    return new WatchedCommand(line.split(' '), this.directory)
  }

  /** Runs `card …`, the arguments separated by spaces, or as a list when one of them has a space. */
  async card(line: string | readonly string[], progress?: (text: string) => void): Promise<Printed> {
    const out: string[] = []
    const err: string[] = []
    const code = await runCard(typeof line === 'string' ? line.split(' ') : line, {
      print: (text) => void out.push(text),
      complain: (text) => void err.push(text),
      directory: this.directory,
      isTerminal: false,
      progress,
    })
    return { code, out: out.join('\n'), err: err.join('\n') }
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true })
  }
}
