// `--state FILE`: a sandbox that continues where it was. The file is written under another name and then renamed, so
// that a crash at any moment leaves a complete file.

import { open, readdir, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { randomName } from '../determinism/random.js'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../determinism/timers.js'
import { Problem } from '../protocol/problem.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { documentText, readState, stateText } from '../workspace/state.js'
import type { Workspace } from '../workspace/workspace.js'
import { isRunning, Lock, LockedError } from './lock.js'

/** The file is written within this time after a change, so that it contains every change that is a second old. */
const writeAfterMs = 300
/** The longest wait before a failed write is tried again; the first wait is 100 ms. */
const maxRetryMs = 5_000
/** How often to check for changes without a call, such as a hook that ended after its answer. */
const lookAfterMs = 500

/** A file that cannot be used: one sentence for each error. */
export class StateFileError extends Error {
  override readonly name = 'StateFileError'

  /** @param exitCode 2 when another file or flag would help, 1 when the file cannot be used now */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 2,
  ) {
    super(message)
  }
}

/** When the file is written: soon after a change, or before the answer to the call that made it. */
export type StateSync = 'soon' | 'always'

/** What health shows about the file. */
export interface StateFileReport {
  readonly file: string
  /** Why the last write failed; null when it did not. */
  readonly error: string | null
}

/** Keeps a file up to date with a sandbox. */
export class StateFile {
  readonly #file: string
  readonly #sandbox: Sandbox
  readonly #sync: StateSync
  readonly #onError: (error: Error) => void
  #lock: Lock | undefined
  readonly #changed = new Set<Workspace>()
  /** The state of each workspace as text, so that only changed ones are serialised again. */
  readonly #texts = new Map<Workspace, { readonly text: string; readonly changes: number }>()
  readonly #looking: NodeJS.Timeout
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  /** Calls whose answers wait for the next write. */
  #waiting: (() => void)[] = []
  #failures = 0
  #error: string | null = null
  #isClosed = false
  /** Whether the bank of the file was continued, and not started. */
  isContinued = false

  private constructor(
    file: string,
    sandbox: Sandbox,
    { sync, onError }: { sync: StateSync; onError: (error: Error) => void },
  ) {
    this.#file = file
    this.#sandbox = sandbox
    this.#sync = sync
    this.#onError = onError
    this.#looking = setInterval(() => this.#look(), lookAfterMs)
    this.#looking.unref()
  }

  /**
   * Loads the state in the file, if there is one, and keeps the file up to date from then on. Rejects with a {@link
   * StateFileError} when the file has another content, cannot be written, or is used by another process. `onError` is
   * called when later writes begin to fail; they are retried until they succeed.
   */
  static async keep(
    file: string,
    sandbox: Sandbox,
    options: { readonly sync: StateSync; readonly onError: (error: Error) => void },
  ): Promise<StateFile> {
    const path = await targetOf(file)
    const kept = new StateFile(path, sandbox, options)
    kept.#lock = await Lock.take(`${path}.lock`, () => void kept.#checkFile()).catch((error: unknown) => {
      clearInterval(kept.#looking)
      if (error instanceof LockedError)
        throw new StateFileError(
          `${file} is in use: ${error.message}. Stop that process, or give each its own file.`,
          1,
        )
      throw new StateFileError(`${file} cannot be written: ${(error as Error).message}.`)
    })
    const refuse = (error: unknown): never => {
      throw new StateFileError(`${file} cannot be written: ${whyNot(error)}.`)
    }
    try {
      kept.isContinued = await load(path, sandbox)
      await kept.#write(new Set(sandbox.workspaces.all)).catch(refuse)
      await removeLeftovers(path).catch(refuse)
    } catch (error) {
      clearInterval(kept.#looking)
      await kept.#lock.release()
      throw error
    }
    sandbox.onChange = (workspace) => kept.#change(workspace)
    sandbox.stateFile = () => kept.report
    return kept
  }

  get report(): StateFileReport {
    return { file: this.#file, error: this.#error }
  }

  /**
   * Writes the last changes and stops using the file. Rejects with a {@link StateFileError} with exit code 1 when
   * that fails.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#sandbox.onChange = undefined
    clearInterval(this.#looking)
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#writing
    try {
      this.#look()
      if (this.#changed.size > 0) await this.#write(this.#changed)
    } catch (error) {
      throw new StateFileError(`${this.#file} could not be written at the end: ${whyNot(error)}.`, 1)
    } finally {
      for (const release of this.#waiting.splice(0)) release()
      await this.#lock?.release()
    }
  }

  /** Notes a change; with `always`, resolves once it is on disk. */
  #change(workspace: Workspace): Promise<void> | undefined {
    this.#changed.add(workspace)
    if (this.#sync === 'soon') {
      this.#schedule(writeAfterMs)
      return undefined
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#schedule(0)
    })
  }

  /** Every write has failed so far, so it waits longer than this; a timer that is set stays. */
  #schedule(ms: number): void {
    if (this.#isClosed || this.#timer || this.#writing) return
    const backoffMs = this.#failures === 0 ? 0 : Math.min(maxRetryMs, 100 * 2 ** (this.#failures - 1))
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.#writing = this.#attempt().finally(() => {
          this.#writing = undefined
          if (this.#changed.size > 0) this.#schedule(this.#waiting.length > 0 ? 0 : writeAfterMs)
        })
      },
      Math.max(ms, backoffMs),
    )
  }

  async #attempt(): Promise<void> {
    const changed = new Set(this.#changed)
    const waiting = this.#waiting
    this.#changed.clear()
    this.#waiting = []
    try {
      await this.#write(changed)
      if (this.#failures > 0) this.#onError(new Error(`${this.#file} is written again`))
      this.#failures = 0
      this.#error = null
      for (const release of waiting) release()
    } catch (error) {
      for (const workspace of changed) this.#changed.add(workspace)
      this.#waiting.unshift(...waiting)
      this.#failures++
      const said = whyNot(error)
      if (said !== this.#error)
        this.#onError(new Error(`${this.#file} cannot be written: ${said}; it is tried again`))
      this.#error = said
    }
  }

  /** Notes changes without a call: added or removed workspaces, and late events such as the end of a hook. */
  #look(): void {
    const { all } = this.#sandbox.workspaces
    const isAnyGone = all.length < this.#texts.size
    for (const workspace of all)
      if (this.#texts.get(workspace)?.changes !== workspace.events.changes) this.#changed.add(workspace)
    if (isAnyGone) this.#changed.add(this.#sandbox.main)
    if (this.#changed.size > 0) this.#schedule(writeAfterMs)
  }

  /** Writes the file again when somebody has deleted it. */
  async #checkFile(): Promise<void> {
    const isGone = await stat(this.#file).then(
      () => false,
      (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT',
    )
    if (isGone) this.#changed.add(this.#sandbox.main)
    if (isGone) this.#schedule(0)
  }

  /** Writes the states of all workspaces; only those in `changed` and new ones are serialised again. */
  async #write(changed: ReadonlySet<Workspace>): Promise<void> {
    await this.#lock!.ensure()
    const workspaces = this.#sandbox.workspaces.all
    const all = new Set(workspaces)
    for (const workspace of this.#texts.keys()) if (!all.has(workspace)) this.#texts.delete(workspace)
    for (const workspace of workspaces) {
      if (this.#texts.has(workspace) && !changed.has(workspace)) continue
      const bank = await workspace.open()
      this.#texts.set(workspace, {
        changes: workspace.events.changes,
        text: stateText(workspace.state(bank)),
      })
    }
    const texts = workspaces.flatMap((workspace) => this.#texts.get(workspace)?.text ?? [])
    await replaceFile(this.#file, `${documentText(texts)}\n`)
  }
}

/** The file that a path leads to, following symbolic links, even when nothing exists there yet. */
async function targetOf(file: string): Promise<string> {
  let path = resolve(file)
  for (let hops = 0; hops < 40; hops++) {
    const link = await readlink(path).catch(() => undefined)
    if (link === undefined) break
    path = resolve(dirname(path), link)
  }
  const folder = await realpath(dirname(path)).catch((error: unknown) => {
    throw new StateFileError(`${file} cannot be written: ${(error as Error).message}.`)
  })
  return join(folder, basename(path))
}

/** Whether the file had a bank to continue. */
async function load(file: string, sandbox: Sandbox): Promise<boolean> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    throw new StateFileError(`${file} cannot be read: ${message}.`)
  }
  // An empty file, as `touch` makes it, is a bank that has not started.
  if (text.trim() === '') return false
  try {
    await sandbox.workspaces.restore(await readState(JSON.parse(text)))
    return true
  } catch (error) {
    if (error instanceof SyntaxError) throw new StateFileError(`${file} is not JSON: ${error.message}.`)
    if (!(error instanceof Problem)) throw error
    const faults = (error.more.errors ?? []).slice(0, 10).map(({ path, message }) => `${path} ${message}`)
    throw new StateFileError(`${file} is no state of a sandbox: ${faults.join('; ')}.`)
  }
}

/** Removes temp files left by processes that were killed mid-write. */
async function removeLeftovers(file: string): Promise<void> {
  const prefix = `${basename(file)}.`
  for (const name of await readdir(dirname(file))) {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    const pid = /^(\d{1,10})(?:\.[0-9a-f]{16})?\.tmp$/.exec(rest)?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(dirname(file), name), { force: true })
  }
}

/** Atomic for readers: they see the old text or the new one, never a part. */
async function replaceFile(file: string, text: string): Promise<void> {
  // An unpredictable name, and a file that must not exist: a prepared link would lead elsewhere.
  const next = `${file}.${process.pid}.${randomName()}.tmp`
  try {
    const handle = await open(next, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(next, file)
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined)
    throw error
  }
  // The name is on disk once its folder is synced; some systems cannot sync folders.
  const folder = await open(dirname(file), 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** A file that is mounted by itself into a container can be written, but not replaced. */
function whyNot(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'EBUSY' || code === 'EXDEV'
    ? 'it is mounted by itself and cannot be replaced; mount the folder that it is in'
    : message
}
