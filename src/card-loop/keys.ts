// Single keys of a terminal. The terminal is given back as it was, however the process ends.

/**
 * Calls `press` for each key; without a terminal there are none.
 *
 * @returns gives the terminal back
 */
export function onKeys(isTerminal: boolean, press: (key: string) => void): () => void {
  const { stdin } = process
  const hasKeys = isTerminal && stdin.isTTY
  const hear = (data: Buffer): void => {
    for (const key of data.toString()) press(key)
  }
  const restore = (): void => {
    if (hasKeys) stdin.setRawMode(false)
  }
  const quit = (): void => {
    press('q')
  }
  process.on('exit', restore)
  process.on('SIGTERM', quit)
  process.on('SIGINT', quit)
  process.on('SIGHUP', quit)
  if (hasKeys) {
    stdin.setRawMode(true)
    stdin.on('data', hear)
    stdin.resume()
  }
  return () => {
    restore()
    process.off('exit', restore)
    process.off('SIGTERM', quit)
    process.off('SIGINT', quit)
    process.off('SIGHUP', quit)
    if (!hasKeys) return
    stdin.off('data', hear)
    stdin.pause()
  }
}
