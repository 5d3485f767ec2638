// Deleting in the control API: what is answered, and the faults and stubs that a test deletes.

import { quoted } from '../protocol/quote.js'
import { Problem } from '../protocol/problem.js'
import { record } from '../protocol/schema.js'
import type { Workspace } from '../workspace/workspace.js'

/** The answer to a deletion of many. */
export const Deleted = record('Deleted', 'How many were deleted.', {
  deleted: { type: 'integer', description: 'How many were removed.' },
})

/** The answer to a deletion by name. */
export const Removed = record('Removed', 'What was removed.', {
  removed: { type: 'string', description: 'The name of what was removed.' },
})

/** The lists of a workspace that a test edits, by the word for one item. */
const lists = {
  fault: { path: '/_sandbox/faults', of: ({ faults }: Workspace) => faults },
  stub: { path: '/_sandbox/outbound/stubs', of: ({ stubs }: Workspace) => stubs },
} as const
type Item = keyof typeof lists

/** Tells the page that an item was set or removed; null: all of them. */
export const tellChange = ({ events, clock }: Workspace, type: Item, id: string | null): void =>
  events.tell({ type, atMs: clock.now(), id })

export function deleteAll(workspace: Workspace, type: Item): { deleted: number } {
  const deleted = lists[type].of(workspace).clear()
  tellChange(workspace, type, null)
  return { deleted }
}

/** Throws `unknown-fault` or `unknown-stub`. */
export function deleteOne(workspace: Workspace, type: Item, id: string): { deleted: number } {
  const { path, of } = lists[type]
  if (!of(workspace).remove(id))
    throw new Problem(`unknown-${type}`, `No ${type} ${quoted(id)}; GET ${path} lists them.`)
  tellChange(workspace, type, id)
  return { deleted: 1 }
}
