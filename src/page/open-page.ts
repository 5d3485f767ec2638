// Opens the page in the browser of the user at the terminal.

import { spawn } from 'node:child_process'

const opener: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' }

/** The address of the page of a server at `url`. */
export const pageUrl = (url: string): string => `${url.replace(/\/+$/, '')}/_sandbox/`

/**
 * Opens the page of a server at `url` in the browser.
 *
 * @param say gets the address when no browser can be started
 */
export function openPage(url: string, say: (text: string) => void): void {
  const child = spawn(opener[process.platform] ?? 'xdg-open', [pageUrl(url)], {
    stdio: 'ignore',
    detached: true,
  })
  child.on('error', () => say(`No browser could be started: the page is at ${pageUrl(url)}`))
  child.unref()
}
