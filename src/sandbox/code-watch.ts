// Publishes the code of a scenario's cards again when its files change: the option `watch`.

import { codeErrorOf } from '../card-code/syntax-fault.js'
import type { Call, Reply } from '../protocol/call.js'
import type { Scenario } from '../scenario/builder.js'
import { codeChange, codePaths, withCode, type CodeChange } from '../scenario/code-change.js'
import { FileWatch } from '../scenario/file-watch.js'
import type { Workspaces } from '../workspace/workspaces.js'

/** Code that was published because its file changed, or why it was not. */
export interface CodeReload {
  readonly workspace: string
  readonly text: string
  readonly isFault: boolean
}

/** What a watch needs. */
interface Watching {
  readonly workspaces: Workspaces
  readonly handle: (call: Call) => Promise<Reply>
  readonly told: (reload: CodeReload) => void
}

/** Watches the code files of one scenario. */
export class CodeWatch {
  readonly #files: FileWatch
  readonly #watching: Watching
  #scenario: Scenario
  /** Changes are handled one after the other. */
  #work: Promise<void> = Promise.resolve()

  constructor(scenario: Scenario, watching: Watching) {
    this.#scenario = scenario
    this.#watching = watching
    this.#files = new FileWatch(() => this.#changed(), { isAlive: false })
    for (const path of codePaths(scenario)) this.#files.add(path)
    // A file may have changed since the scenario was read.
    this.#changed()
  }

  close(): void {
    this.#files.close()
  }

  #changed(): void {
    this.#work = this.#work.then(() => this.#take(codeChange(this.#scenario)))
  }

  /** Publishes in each workspace that began from the scenario; from now on a reset returns to the new code. */
  async #take(change: CodeChange): Promise<void> {
    const { workspaces, told } = this.#watching
    const { cards, faults } = change
    for (const text of faults) told({ workspace: workspaces.main.name, text, isFault: true })
    if (cards.length === 0) return
    this.#scenario = withCode(this.#scenario, change)
    for (const workspace of workspaces.all) {
      const { name, scenario } = workspace.start
      if (!scenario || name !== this.#scenario.name) continue
      workspace.replaceScenario(withCode(scenario, change))
      for (const each of cards)
        told({ workspace: workspace.name, ...(await this.#publish(workspace.name, each)) })
    }
  }

  async #publish(
    workspace: string,
    { cardKey, file, code }: CodeChange['cards'][number],
  ): Promise<Pick<CodeReload, 'text' | 'isFault'>> {
    const { status, body } = await this.#watching.handle({
      method: 'PUT',
      path: `/_sandbox/cards/${cardKey}/program?workspace=${encodeURIComponent(workspace)}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, publish: true }),
    })
    if (status === 200) {
      const text = `${file} changed: published on card ${cardKey}`
      const error = codeErrorOf(code)
      if (!error) return { text, isFault: false }
      return { text: `${text}, but line ${error.line} is wrong: ${error.message}`, isFault: true }
    }
    const { detail = '' } = JSON.parse(String(body)) as { detail?: string }
    return { text: `${file} changed, but card ${cardKey} refuses it: ${detail}`, isFault: true }
  }
}
