// Reports changes to the content of files. It watches directories, because many editors write a new file and rename
// it; where the system reports nothing, as on network drives, it checks the files once a second.

import { createHash } from 'node:crypto'
import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../determinism/timers.js'

const debounceMs = 50

export interface FileWatchOptions {
  /** How often the files are checked when the system reports nothing, in ms (1,000). */
  readonly pollMs?: number
  /** Whether the system is asked to report changes (true). */
  readonly isNotified?: boolean
  /** What else counts as a change when something happens in a directory: the names of the files in it, for example. */
  readonly list?: () => string
  /** Whether watching keeps the process alive (true). */
  readonly isAlive?: boolean
}

export class FileWatch {
  readonly #told: () => void
  readonly #options: FileWatchOptions
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #hashes = new Map<string, string>()
  readonly #marks = new Map<string, string>()
  readonly #poll: NodeJS.Timeout
  #list: string
  #timer: NodeJS.Timeout | undefined

  /** @param told called once for changes that come together */
  constructor(told: () => void, options: FileWatchOptions = {}) {
    this.#told = told
    this.#options = options
    this.#list = options.list?.() ?? ''
    this.#poll = setInterval(() => {
      this.#look(false)
    }, options.pollMs ?? 1_000)
    if (options.isAlive === false) this.#poll.unref()
  }

  /** Watches a file from now on, by its absolute path; it need not be there. Ask it before the file is read. */
  add(path: string): void {
    if (!this.#hashes.has(path)) {
      this.#hashes.set(path, hashOf(path))
      this.#marks.set(path, markOf(path))
    }
    const directory = dirname(path)
    if (!this.#watchers.has(directory) && this.#options.isNotified !== false) this.#watch(directory)
  }

  /** Stops watching all other files. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#hashes.keys())
      if (!paths.has(path)) {
        this.#hashes.delete(path)
        this.#marks.delete(path)
      }
    const directories = new Set([...paths].map((path) => dirname(path)))
    for (const [directory, watcher] of this.#watchers)
      if (!directories.has(directory)) {
        watcher.close()
        this.#watchers.delete(directory)
      }
  }

  close(): void {
    clearInterval(this.#poll)
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #watch(directory: string): void {
    try {
      const watcher = watch(directory, { persistent: this.#options.isAlive !== false }, () => {
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

  /** Looks for changed content; writing the same text is not a change. */
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
    const list = thoroughly ? (this.#options.list?.() ?? '') : this.#list
    if (list !== this.#list) {
      this.#list = list
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
