// Loads workspaces that are likely to be called, without owning them: the histories that their loading makes are kept, so
// that the first call of a workspace does not wait for its history.

import type { Sandbox } from '../sandbox/sandbox.js'
import { load } from './load.js'
import type { Store } from './store.js'

/** As many histories as are kept at a time. */
const maxHistories = 8
/** Larger workspaces take longer to read than their history takes to make. */
const maxRows = 1_000

/** Each step makes one history, the most recently used one first, and takes some tens of milliseconds. */
export async function* warm(sandbox: Sandbox, store: Store): AsyncGenerator<void> {
  for (const name of await store.recent(maxHistories, maxRows)) {
    const read = await store.snapshot(name)
    if (!read) continue
    await load(sandbox.workspaces.make(name), read, (id) => store.history(id), false)
    yield
  }
}
