// Tells of changes to the content of files. Directories are watched, since many editors write a new file and rename it;
// where the system tells nothing, as on network drives, the files are looked at once a second.

import { createHash } from 'node:crypto'
import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'

const debounceMs = 50
const pollMs = 1_000

export class FileWatch {
  readonly #told: () => void
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #hashes = new Map<string, string>()
  readonly #marks = new Map<string, string>()
  readonly #poll: NodeJS.Timeout
  #timer: NodeJS.Timeout | undefined

  /** @param told called once for changes that come together */
  constructor(told: () => void) {
    this.#told = told
    this.#poll = setInterval(() => {
      this.#look(false)
    }, pollMs)
  }

  /** The files to watch from now on, absolute paths; they need not be there. */
  set files(paths: readonly string[]) {
    for (const path of this.#hashes.keys())
      if (!paths.includes(path)) {
        this.#hashes.delete(path)
        this.#marks.delete(path)
      }
    for (const path of paths)
      if (!this.#hashes.has(path)) {
        this.#hashes.set(path, hashOf(path))
        this.#marks.set(path, markOf(path))
      }
    const directories = new Set(paths.map((path) => dirname(path)))
    for (const [directory, watcher] of this.#watchers)
      if (!directories.has(directory)) {
        watcher.close()
        this.#watchers.delete(directory)
      }
    for (const directory of directories) if (!this.#watchers.has(directory)) this.#watch(directory)
  }

  close(): void {
    clearInterval(this.#poll)
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #watch(directory: string): void {
    try {
      const watcher = watch(directory, () => {
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => {
          this.#look(true)
        }, debounceMs)
      })
      const lose = (): void => {
        watcher.close()
        this.#watchers.delete(directory)
      }
      watcher.on('error', lose)
      this.#watchers.set(directory, watcher)
    } catch {
      // The directory is gone, or cannot be watched: the files are looked at all the same.
    }
  }

  /** Looks for changes of content; a write of the same text is none. */
  #look(thoroughly: boolean): void {
    let changed = false
    for (const [path, hash] of this.#hashes) {
      const mark = markOf(path)
      if (!thoroughly && mark === this.#marks.get(path)) continue
      this.#marks.set(path, mark)
      const now = hashOf(path)
      if (now === hash) continue
      this.#hashes.set(path, now)
      changed = true
    }
    if (changed) this.#told()
  }
}

function hashOf(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex')
  } catch {
    return ''
  }
}

function markOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path)
    return `${mtimeMs} ${size} ${ino}`
  } catch {
    return ''
  }
}
