// Only one process may use a state file: a lock file beside it names the process.

import { open, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { randomName } from '../determinism/random.js'
import { clearInterval, setInterval, setTimeout } from '../determinism/timers.js'

/** How often the lock file is written again, so that processes on other hosts see that its owner is alive. */
const heartbeatMs = 2_000
/** A lock of another host is stale after this time without a heartbeat. */
const staleMs = 10_000

/** Who holds a lock. */
export interface Holder {
  readonly host: string
  readonly pid: number
  /** Distinguishes this process from an earlier one with the same id, if the system provides it. */
  readonly started: string | null
}

/** The lock is held by another process. */
export class LockedError extends Error {
  override readonly name = 'LockedError'

  constructor(readonly holder: Holder) {
    super(`process ${holder.pid} on ${holder.host} holds it`)
  }
}

/** A lock that this process holds. */
export class Lock {
  readonly #path: string
  readonly #text: string
  readonly #timer: NodeJS.Timeout

  private constructor(path: string, text: string, onBeat: () => void) {
    this.#path = path
    this.#text = text
    this.#timer = setInterval(() => void this.#beat().then(onBeat), heartbeatMs)
    this.#timer.unref()
  }

  /**
   * Takes the lock at `path`. Rejects with a {@link LockedError} when a live process holds it.
   *
   * @param onBeat called after each heartbeat
   */
  static async take(path: string, onBeat: () => void): Promise<Lock> {
    const text = `${JSON.stringify({ ...self(), id: randomName() })}\n`
    for (let attempt = 0; ; attempt++) {
      try {
        await write(path, 'wx', text)
        return new Lock(path, text, onBeat)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const found = await readFile(path, 'utf8').catch(() => undefined)
      if (found === undefined) continue
      const holder = holderIn(found)
      // An empty lock is being written at this moment, or its writer died.
      if (!holder && attempt < 10) await new Promise((resolve) => setTimeout(resolve, 50))
      else if (holder && !(await isStale(path, holder))) throw new LockedError(holder)
      else await removeIf(path, found)
    }
  }

  /** Makes sure that this process holds the lock. Rejects when another process considered it stale. */
  async ensure(): Promise<void> {
    const found = await readFile(this.#path, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    })
    if (found === undefined) await write(this.#path, 'wx', this.#text)
    else if (found !== this.#text) throw new Error(`another process has taken ${this.#path}`)
  }

  /** Writes the same text again: the file system updates the time. */
  async #beat(): Promise<void> {
    try {
      await this.ensure()
      await write(this.#path, 'r+', this.#text)
    } catch {
      // The next write of the state reports it.
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    await removeIf(this.#path, this.#text)
  }
}

async function write(path: string, flags: 'wx' | 'r+', text: string): Promise<void> {
  const handle = await open(path, flags, 0o600)
  await handle.writeFile(text).finally(() => handle.close())
}

/** Removes the lock if it still has this text: another process may have replaced it since it was read. */
async function removeIf(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomName()}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  const removed = await readFile(aside, 'utf8').catch(() => text)
  if (removed !== text) await rename(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

const self = (): Holder => ({ host: hostname(), pid: process.pid, started: startedAt(process.pid) })

function holderIn(text: string): Holder | undefined {
  try {
    const { host, pid, started } = JSON.parse(text) as Partial<Holder>
    if (typeof host !== 'string' || !Number.isInteger(pid)) return undefined
    return { host: host.replace(/[^\w.-]/g, '?').slice(0, 100), pid: pid!, started: started ?? null }
  } catch {
    return undefined
  }
}

async function isStale(path: string, { host, pid, started }: Holder): Promise<boolean> {
  if (host !== hostname()) return (await silenceMs(path)) > staleMs
  // In a container every process has number 1: a lock with our own id belongs to an earlier run.
  if (pid === process.pid || !isRunning(pid)) return true
  const now = startedAt(pid)
  return started !== null && now !== null && started !== now
}

/** How long ago the file was written, by the clock of its file system: this host's clock may differ. */
async function silenceMs(path: string): Promise<number> {
  const probe = `${path}.${randomName()}`
  let handle: FileHandle | undefined
  try {
    handle = await open(probe, 'wx', 0o600)
    await handle.writeFile('?')
    return (await handle.stat()).mtimeMs - (await stat(path)).mtimeMs
  } catch {
    return 0
  } finally {
    await handle?.close()
    await rm(probe, { force: true })
  }
}

/** Whether a process with this id runs on this host. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user may not be signalled, but it exists.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The start time of a process in ticks since boot, where the system shows it (Linux). */
function startedAt(pid: number): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program is in brackets and may contain spaces.
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
