// `--state FILE`: a sandbox that is where it was when it starts again. The file is written to another name and then
// renamed, so that a crash at any moment leaves a whole one.

import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Problem } from '../protocol/problem.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { Workspace } from '../workspace/workspace.js'
import { readState, stateFormat, stateVersion } from '../workspace/state.js'

/** After a change the file is written within this time, so that what is a second old is in it. */
const writeAfterMs = 300

/** A file that cannot be used, in one sentence for each fault. */
export class StateFileError extends Error {
  override readonly name = 'StateFileError'
}

/** Keeps a file up to date with a sandbox. */
export class StateFile {
  readonly #file: string
  readonly #sandbox: Sandbox
  readonly #changed = new Set<Workspace>()
  /** The written state of each workspace, so that only what has changed is written out anew. */
  readonly #texts = new Map<Workspace, string>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  readonly #onError: (error: Error) => void

  private constructor(file: string, sandbox: Sandbox, onError: (error: Error) => void) {
    this.#file = file
    this.#sandbox = sandbox
    this.#onError = onError
  }

  /**
   * Brings the sandbox to the state in the file, if there is one, and keeps the file up to date from then on. Rejects with
   * a {@link StateFileError} when the file holds something else or cannot be written; `onError` is told of later trouble.
   */
  static async keep(file: string, sandbox: Sandbox, onError: (error: Error) => void): Promise<StateFile> {
    await load(file, sandbox)
    const kept = new StateFile(file, sandbox, onError)
    await kept.#write(sandbox.workspaces.all).catch((error: unknown) => {
      throw new StateFileError(`${file} cannot be written: ${(error as Error).message}.`)
    })
    await removeLeftovers(file)
    sandbox.onChange = (workspace) => kept.#change(workspace)
    return kept
  }

  /** Writes what has changed, and leaves the file alone from then on. */
  async close(): Promise<void> {
    this.#sandbox.onChange = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#flush()
  }

  #change(workspace: Workspace): void {
    this.#changed.add(workspace)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#flush()
    }, writeAfterMs)
  }

  #flush(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const changed = [...this.#changed]
      if (changed.length === 0) return
      this.#changed.clear()
      await this.#write(changed).catch((error: unknown) => this.#onError(error as Error))
    })
    return this.#writing
  }

  async #write(changed: readonly Workspace[]): Promise<void> {
    const workspaces = this.#sandbox.workspaces.all
    for (const workspace of this.#texts.keys())
      if (!workspaces.includes(workspace)) this.#texts.delete(workspace)
    for (const workspace of changed) {
      const bank = await workspace.open()
      this.#texts.set(workspace, JSON.stringify(workspace.state(bank)))
    }
    const texts = workspaces.flatMap((workspace) => this.#texts.get(workspace) ?? [])
    const head = `{"format":${JSON.stringify(stateFormat)},"version":${stateVersion},"workspaces":[`
    await replaceFile(this.#file, `${head}${texts.join(',\n')}]}\n`)
  }
}

async function load(file: string, sandbox: Sandbox): Promise<void> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    throw new StateFileError(`${file} cannot be read: ${message}.`)
  }
  try {
    await sandbox.workspaces.restore(await readState(JSON.parse(text)))
  } catch (error) {
    if (error instanceof SyntaxError) throw new StateFileError(`${file} is not JSON: ${error.message}.`)
    if (!(error instanceof Problem)) throw error
    const faults = (error.more.errors ?? []).slice(0, 10).map(({ path, message }) => `${path} ${message}`)
    throw new StateFileError(`${file} is no state of a sandbox: ${faults.join('; ')}.`)
  }
}

/** What processes left beside the file that were killed while they wrote it. */
async function removeLeftovers(file: string): Promise<void> {
  const prefix = `${basename(file)}.`
  for (const name of await readdir(dirname(file))) {
    const pid = name.startsWith(prefix) ? /^(\d{1,10})\.tmp$/.exec(name.slice(prefix.length))?.[1] : undefined
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(dirname(file), name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Somebody else's process may not be asked, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** In one step for whoever reads: the old text or the new one, never a part. */
async function replaceFile(file: string, text: string): Promise<void> {
  const next = `${file}.${process.pid}.tmp`
  try {
    const handle = await open(next, 'w', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(next, file)
  } catch (error) {
    await rm(next, { force: true })
    throw error
  }
}
