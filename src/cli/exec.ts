// Runs a program while a sandbox is up, transparently: its streams, its signals, its exit code.

import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Runs a command with variables added to the environment; signals of this process are passed on.
 *
 * @returns its exit code, or 128 plus the signal's number when a signal ended it
 * @throws the system's error, such as `ENOENT`, when the command could not be started
 */
export function exec(
  [command, ...args]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    // Commands such as npm are scripts for the shell on Windows.
    const shell = process.platform === 'win32'
    const child = spawn(command!, args, { stdio: 'inherit', env: { ...environment }, shell })
    const stopForwarding = forwardSignals((signal) => child.kill(signal))
    child.once('error', (error) => {
      stopForwarding()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      stopForwarding()
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}

function forwardSignals(send: (signal: NodeJS.Signals) => void): () => void {
  const forward = (signal: NodeJS.Signals): void => {
    // Ctrl-C in a terminal reaches the command directly, and a second SIGINT makes many programs give up at once.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) send(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, forward)
  return () => {
    for (const signal of signals) process.off(signal, forward)
  }
}
