// Ends the command when npm's shell ends. npx and npm pass SIGTERM to that shell only, and many shells die without
// passing it on: npm is gone, and the command would keep the port.

import type { Environment } from './room-commands.js'

const intervalMs = 500

/** A script that runs this command in the foreground: `a && b` and `2>&1` may follow it, a lone `&` may not. */
const foregroundScript = /^\s*(?:\w+=\S* +)*(['"]?)sandbox-server\1(?=\s|$)(?:[^&]|&&|>&)*$/

/**
 * Whether npm (or yarn or pnpm) started a shell for this command alone, which waits for it. Such a shell ends first only
 * when somebody ended it.
 */
export const isWaitedFor = ({ npm_lifecycle_script: script = '' }: Environment): boolean =>
  foregroundScript.test(script)

/** Sends SIGTERM to this process when the shell that npm started for it ends. Keeps no process running. */
export function endWithShell(environment: Environment): void {
  if (!isWaitedFor(environment)) return
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, intervalMs)
  timer.unref()
}
