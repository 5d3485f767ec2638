// `sandbox-server store`: the tables of a team's bank from the command line.

import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { Problem } from '../protocol/problem.js'
import { Sandbox } from '../sandbox/sandbox.js'
import { documentText, readState, stateText } from '../workspace/state.js'
import { Postgres, StoreError } from './postgres.js'
import { load } from './load.js'
import { Saved } from './saved.js'
import { migrate, schemaVersion, versionOf } from './schema.js'
import { shownText } from './shown.js'
import { Store } from './store.js'
import { markIn } from './target.js'

interface Terminal {
  readonly print: (text: string) => void
  readonly say: (text: string) => void
}

const usage = `sandbox-server store COMMAND --store ADDRESS

  migrate               makes the tables, or brings older ones up to date
  status                shows the version of the tables, the replicas and the workspaces
  export [--out FILE]   writes all workspaces as one state document, as of one moment each
  import FILE           adds the workspaces of a state document; those that exist already are refused

  --store ADDRESS       postgres://user@host/database, also SANDBOX_STORE
  --workspace NAME      export: only this one`

/** Runs the command and gives its exit code. */
export async function runStore(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { print, say }: Terminal,
): Promise<number> {
  const complain = (text: string): void => say(`sandbox-server: ${text}`)
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        store: { type: 'string' },
        out: { type: 'string' },
        workspace: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    const [verb = '', file] = positionals
    const address = values.store ?? environment.SANDBOX_STORE
    if (values.help || verb === '') {
      print(usage)
      return values.help ? 0 : 2
    }
    if (address === undefined) throw new StoreError('store needs --store ADDRESS or SANDBOX_STORE.', 2)
    const task = { file, out: values.out, workspace: values.workspace, print }
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (!run) throw new StoreError(`store has no '${verb}': migrate, status, export and import.`, 2)
    const postgres = await Postgres.open(address)
    try {
      await run(new Store(postgres), task)
    } finally {
      await postgres.close()
    }
    return 0
  } catch (error) {
    if (error instanceof StoreError) {
      complain(error.message)
      return error.exitCode
    }
    complain((error as Error).message)
    return (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1
  }
}

interface Task {
  readonly file: string | undefined
  readonly out: string | undefined
  readonly workspace: string | undefined
  readonly print: (text: string) => void
}

const verbs: Readonly<Record<string, (store: Store, task: Task) => Promise<void>>> = {
  async migrate({ postgres }, { print }) {
    const { from, to } = await migrate(postgres)
    print(
      from === to ? `The store has schema ${to} already.` : `The store has schema ${to} now; it had ${from}.`,
    )
  },

  async status(store, { print }) {
    const version = await versionOf(store.postgres)
    const replicas = version === 0 ? [] : await store.replicas()
    const workspaces = version === 0 ? [] : await store.sizes()
    print(JSON.stringify({ schema: version, programSchema: schemaVersion, replicas, workspaces }, null, 2))
  },

  async export(store, { out, workspace, print }) {
    await needSchema(store)
    const names = (await store.list()).map(({ name }) => name)
    const wanted = workspace === undefined ? names : names.filter((name) => name === workspace)
    if (wanted.length === 0) throw new StoreError(`the store has no workspace ${workspace ?? ''}.`, 2)
    const { workspaces } = new Sandbox()
    const texts: string[] = []
    for (const name of wanted) {
      const copy = workspaces.make(name)
      const read = await store.snapshot(name)
      if (!read) continue
      await load(copy, read, (id) => store.history(id), false)
      texts.push(stateText(copy.state(copy.bank!)))
    }
    const text = `${documentText(texts)}\n`
    if (out === undefined) print(text.trimEnd())
    else await writeFile(out, text, { mode: 0o600 })
  },

  async import(store, { file, print }) {
    if (file === undefined) throw new StoreError('import needs the file of a state document.', 2)
    await migrate(store.postgres)
    const document = await readState(JSON.parse(await readFile(file, 'utf8'))).catch((error: unknown) => {
      throw error instanceof Problem
        ? new StoreError(`${file} is no state of a sandbox: ${error.detail}`, 2)
        : error
    })
    const taken = new Set((await store.list()).map(({ name }) => name))
    const both = document.workspaces.filter(({ name }) => taken.has(name)).map(({ name }) => name)
    if (both.length > 0)
      throw new StoreError(`the store has these workspaces already: ${both.join(', ')}.`, 2)
    const sandbox = new Sandbox()
    await sandbox.workspaces.restore(document)
    for (const { name } of document.workspaces) {
      const workspace = sandbox.workspaces.get(name)
      const commit = new Saved(false).compare(workspace, await workspace.open(), shownText(workspace))
      await store.add(name, { mark: markIn(name), owner: null, controlHash: null }, commit)
    }
    print(
      `Added ${document.workspaces.length} workspaces. They have no control tokens of their own: the server's opens them.`,
    )
  },
}

async function needSchema({ postgres }: Store): Promise<void> {
  if ((await versionOf(postgres)) === 0)
    throw new StoreError('the store has no tables yet; store migrate makes them.')
}
