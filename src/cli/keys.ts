// Single keys of the terminal while the bank is open. Without line editing the terminal turns no key into a signal, so
// Ctrl C and similar keys are sent from here.

import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isatty } from 'node:tty'

const signals: Readonly<Record<string, NodeJS.Signals>> = {
  '\u0003': 'SIGINT',
  '\u001a': 'SIGTSTP',
  '\u001c': 'SIGQUIT',
}

/** Whether a user at a terminal, who can press keys, runs the command. */
export const hasKeys = (): boolean => isatty(0) && isatty(1) && isForeground()

/** A process in the background that reads a terminal, or changes how it works, is stopped: `sandbox-server &`. */
function isForeground(): boolean {
  if (process.platform === 'win32') return true
  try {
    const [group, foreground] = processGroups()
    return group === foreground
  } catch {
    return false
  }
}

/** The process group of this process, and the one that the terminal listens to. */
function processGroups(): readonly string[] {
  if (process.platform === 'linux') {
    // `12 (name) S parent group session terminal foreground …`, where the name may hold anything.
    const text = readFileSync('/proc/self/stat', 'utf8')
    const [, , group, , , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return [group!, foreground!]
  }
  const options: ExecFileSyncOptionsWithStringEncoding = {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }
  return execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], options)
    .trim()
    .split(/\s+/)
}

/** Calls the action of each key that is pressed. The terminal is given back when the process ends or is suspended. */
export function onKeys(actions: Readonly<Record<string, () => void>>): void {
  const { stdin, stdout } = process
  const take = (): void => {
    if (!isForeground()) return
    stdin.setRawMode(true)
    stdin.resume()
  }
  const giveBack = (): void => {
    if (!stdin.isRaw) return
    stdin.setRawMode(false)
    stdin.pause()
  }
  const signal = (name: NodeJS.Signals): void => {
    if (name === 'SIGTSTP') giveBack()
    // Sent to the whole group, as the terminal does: npx and its shell belong to it too.
    if (process.platform !== 'win32') process.kill(0, name)
    else if (name === 'SIGINT') process.emit(name)
  }
  stdin.on('data', (data: Buffer) => {
    for (const key of data.toString()) {
      const name = signals[key]
      if (name !== undefined) signal(name)
      else if (key === '\r') stdout.write('\n')
      else actions[key]?.()
    }
  })
  // The terminal may be closed.
  stdin.on('error', giveBack)
  process.on('exit', giveBack)
  process.on('SIGCONT', take)
  take()
}
