// The set of workspaces of one sandbox: found by name, by token or by client id; added, removed, reset.

import { quoted } from '../protocol/quote.js'
import { markLength, markOf } from '../bank/credentials.js'
import type { EventOnWire } from '../journal/events.js'
import { invalid, Problem } from '../protocol/problem.js'
import { resolveStart, type StartPoint } from '../scenario/start.js'
import type { SettingsChange } from '../settings/settings.js'
import type { StateDocument } from './state.js'
import { mainName, type GivenClient } from './clients.js'
import { Workspace } from './workspace.js'

/** Each workspace may grow: a program that forgets to delete them must not use up the machine's memory. */
const maxWorkspaces = 10_000

/** Longer names are found by a search, so that a long client id costs at most this many lookups. */
const maxIndexedName = 40

const nowhere = { has: (): boolean => false, size: 0 }

/** All workspaces of a sandbox. The main one always exists. */
export class Workspaces {
  #main: Workspace
  readonly #start: StartPoint
  readonly #byName = new Map<string, Workspace>()
  /** By the token prefix of the workspace. */
  readonly #byMark = new Map<string, Workspace>()
  #watcher: ((event: EventOnWire, workspace: string) => void) | undefined

  /** @param overrides settings that override those of every start, in every workspace */
  constructor(
    start: StartPoint,
    readonly overrides: SettingsChange = {},
    readonly client?: GivenClient,
  ) {
    this.#start = start
    this.#main = new Workspace(mainName, start, overrides, client)
    this.#byName.set(mainName, this.#main)
  }

  get main(): Workspace {
    return this.#main
  }

  /** Workspaces that other replicas of a store have: their names are taken, and they count. */
  elsewhere: { readonly has: (name: string) => boolean; readonly size: number } = nowhere

  /** A workspace that is not in the set yet. */
  make(name: string): Workspace {
    return new Workspace(name, this.#start, this.overrides, this.client)
  }

  /** Takes a workspace into the set, in the place of one with the same name. */
  put(workspace: Workspace): void {
    this.#byName.set(workspace.name, workspace)
    if (workspace.name === mainName) this.#main = workspace
    else this.#byMark.set(markOf(workspace.name), workspace)
    this.#tellWatcher(workspace)
  }

  /** Lets go of a workspace that is kept elsewhere, and ends what it runs. The main one is replaced by an unused one. */
  drop(name: string): void {
    const workspace = this.#byName.get(name)
    if (!workspace) return
    workspace.events.close()
    workspace.executions.stopAll()
    if (workspace === this.#main) this.put(this.make(mainName))
    else {
      this.#byName.delete(name)
      this.#byMark.delete(markOf(name))
    }
  }

  /** Calls `watcher`, which must not throw, with each event of each workspace, also of those that are added later. */
  watch(watcher: (event: EventOnWire, workspace: string) => void): void {
    this.#watcher = watcher
    for (const workspace of this.#byName.values()) this.#tellWatcher(workspace)
  }

  #tellWatcher({ name, events }: Workspace): void {
    const watcher = this.#watcher
    if (watcher) events.watcher = (event) => watcher(event, name)
  }

  /** All workspaces, the main one first. */
  get all(): Workspace[] {
    return [...this.#byName.values()]
  }

  /** The workspace of this name. Throws `unknown-workspace`. */
  get(name: string): Workspace {
    const workspace = this.#byName.get(name)
    if (workspace) return workspace
    throw new Problem(
      'unknown-workspace',
      `No workspace ${quoted(name)}; GET /_sandbox/workspaces lists them.`,
    )
  }

  /** The workspace that a control call names by `?workspace=`; the main one without it. Throws `unknown-workspace`. */
  named(name: string | readonly string[] | undefined): Workspace {
    if (name === undefined) return this.main
    return this.get(typeof name === 'string' ? name : name.join(','))
  }

  /** The workspace that issued this token; the main one if none did. */
  ofToken(token: string): Workspace {
    return this.#byMark.get(token.slice(0, markLength)) ?? this.main
  }

  /** The workspace that knows one of these client ids; the main one if none does. */
  ofClient(clientIds: readonly string[]): Workspace {
    if (clientIds.length === 0 || this.#byName.size === 1) return this.main
    const knows = ({ credentials }: Workspace): boolean => clientIds.some((id) => credentials.client(id))
    if (knows(this.main)) return this.main
    // The usual client of a workspace ends in its name: most sign-ins cost one lookup, however many workspaces there
    // are.
    for (const clientId of clientIds) {
      const end = clientId.slice(-1 - maxIndexedName)
      for (let dash = end.indexOf('-'); dash >= 0; dash = end.indexOf('-', dash + 1)) {
        const named = this.#byName.get(end.slice(dash + 1))
        if (named && knows(named)) return named
      }
    }
    for (const workspace of this.#byName.values()) if (knows(workspace)) return workspace
    return this.main
  }

  /** Creates a workspace with credentials of its own. Throws `workspace-exists` and `too-many-workspaces`. */
  add(name: string, start: StartPoint): Workspace {
    if (this.#byName.has(name) || this.elsewhere.has(name))
      throw new Problem(
        'workspace-exists',
        `There is a workspace ${JSON.stringify(name)} already; DELETE it first, or choose another name.`,
      )
    if (this.#byName.size + this.elsewhere.size >= maxWorkspaces)
      throw new Problem('too-many-workspaces', `There are ${maxWorkspaces} workspaces; DELETE some first.`)
    const workspace = new Workspace(name, start, this.overrides, this.client)
    this.#byName.set(name, workspace)
    this.#byMark.set(markOf(name), workspace)
    this.#tellWatcher(workspace)
    return workspace
  }

  /**
   * Deletes a workspace. Throws `unknown-workspace`, and `invalid-request` for the main one, which cannot be deleted.
   */
  remove(name: string): void {
    const workspace = this.get(name)
    if (workspace === this.main)
      throw invalid([
        { path: '/name', message: 'is the main workspace, which cannot be deleted; reset it instead' },
      ])
    workspace.events.close()
    workspace.executions.stopAll()
    this.#byName.delete(name)
    this.#byMark.delete(markOf(name))
  }

  /** The first of `w1`, `w2` and so on that is not taken. */
  freeName(): string {
    let number = this.#byName.size + this.elsewhere.size
    while (this.#byName.has(`w${number}`) || this.elsewhere.has(`w${number}`)) number++
    return `w${number}`
  }

  /**
   * Restores the workspaces of a checked state document, replacing those with the same names. Rejects with
   * `invalid-request`.
   */
  async restore({ workspaces }: StateDocument): Promise<void> {
    for (const [index, state] of workspaces.entries()) {
      const path = `/workspaces/${index}`
      const start = await resolveStart(state.start, `${path}/start`)
      const workspace = this.#byName.get(state.name) ?? this.add(state.name, start)
      await workspace.restore(state, start, path)
    }
  }

  /** Resets to `start` and deletes the other workspaces. */
  async resetTo(start: StartPoint): Promise<void> {
    for (const { name } of this.all.slice(1)) this.remove(name)
    if (this.main.start === start) this.main.reset()
    else this.main.startFrom(start)
    await this.main.open()
  }
}
