// Writes files completely or not at all.

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { RealDataError } from './read-client.js'

/** Who may read a file: everybody, or only its owner. */
type Mode = 0o644 | 0o600

/**
 * Writes all of these files, or none: each to a temp file first, which is then renamed. Throws a {@link RealDataError}
 * that names the file that cannot be written; existing files are then unchanged.
 */
export function writeWhole(files: Readonly<Record<string, string>>, mode: Mode = 0o644): void {
  const written: [temporary: string, file: string][] = []
  let current = ''
  try {
    for (const [file, text] of Object.entries(files)) {
      current = file
      const temporary = join(dirname(file), `.${basename(file)}.writing`)
      written.push([temporary, file])
      const handle = openSync(temporary, 'w', mode)
      try {
        writeFileSync(handle, text)
        fsyncSync(handle)
      } finally {
        closeSync(handle)
      }
    }
    for (const [temporary, file] of written) {
      current = file
      renameSync(temporary, file)
    }
  } catch (error) {
    for (const [temporary] of written) rmSync(temporary, { force: true, recursive: true })
    throw new RealDataError(`${current} cannot be written: ${(error as Error).message}.`)
  }
}
