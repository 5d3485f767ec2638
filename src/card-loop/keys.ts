// Reads single keys from a terminal, and restores the terminal, however the process ends.

/** Where keys come from: standard input, or a test. */
export interface KeySource {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
  on(event: 'data', hear: (data: Buffer) => void): unknown
  off(event: 'data', hear: (data: Buffer) => void): unknown
  resume(): unknown
  pause(): unknown
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls `press` for each key, and with `q` for a signal that asks to end; without a source there are only signals.
 *
 * @returns restores the terminal
 */
export function onKeys(source: KeySource | undefined, press: (key: string) => void): () => void {
  const input = source?.isTTY === true ? source : undefined
  const hear = (data: Buffer): void => {
    for (const key of data.toString()) press(key)
  }
  const restore = (): void => {
    try {
      input?.setRawMode?.(false)
    } catch {
      // The terminal is gone: nothing is left to restore.
    }
  }
  const quit = (): void => {
    press('q')
  }
  process.on('exit', restore)
  for (const signal of signals) process.on(signal, quit)
  input?.setRawMode?.(true)
  input?.on('data', hear)
  input?.resume()
  return () => {
    restore()
    process.off('exit', restore)
    for (const signal of signals) process.off(signal, quit)
    input?.off('data', hear)
    input?.pause()
  }
}
