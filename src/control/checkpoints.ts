// Checkpoints: moments of a workspace to go back to. The page makes one before it destroys something.

import { quoted } from '../protocol/quote.js'
import { defineEndpoint, type Ask } from '../endpoint/endpoint.js'
import { Problem } from '../protocol/problem.js'
import { listOf, record, timestamp, type FromSchema } from '../protocol/schema.js'
import type { Workspace } from '../workspace/workspace.js'
import { Deleted } from './deletion.js'

const CheckpointReading = record('Checkpoint', 'A moment of a workspace to go back to.', {
  id: { type: 'string', description: 'Its id, which goes into the path to restore it.' },
  name: { type: 'string', description: 'What was about to happen.' },
  time: { ...timestamp, description: "By the sandbox's clock." },
})

type Reading = FromSchema<typeof CheckpointReading>

const show = ({ id, name, atMs }: { id: string; name: string; atMs: number }): Reading => ({
  id,
  name,
  time: new Date(atMs).toISOString(),
})

function find({ checkpoints }: Workspace, id: string) {
  const found = checkpoints.find(id)
  if (found) return found
  throw new Problem(
    'unknown-checkpoint',
    `No checkpoint ${quoted(id)}; GET /_sandbox/checkpoints lists them.`,
  )
}

async function made(ask: Ask) {
  const { id } = await ask<Reading>('POST', '/_sandbox/checkpoints', { name: 'before the reset' })
  return { params: { id } }
}

export const checkpoints = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/checkpoints',
    summary: 'The checkpoints, oldest first; the last twenty are kept',
    auth: 'control',
    needsBank: false,
    response: record('CheckpointList', 'Checkpoints, oldest first.', {
      checkpoints: { ...listOf(CheckpointReading), description: 'The checkpoints, oldest first.' },
    }),
    envelope: 'bare',
    problems: [],
    handle: ({ workspace }) => ({ checkpoints: workspace.checkpoints.list.map(show) }),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/checkpoints',
    summary: 'Store the workspace as it is now, except its journal',
    auth: 'control',
    body: {
      title: 'CheckpointRequest',
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 100, description: 'The reason for the checkpoint.' },
      },
      additionalProperties: false,
    },
    response: CheckpointReading,
    envelope: 'bare',
    problems: [],
    handle: ({ workspace, bank, body: { name = '' } }) => {
      const atMs = workspace.clock.now()
      const checkpoint = workspace.checkpoints.add(name, atMs, workspace.mark(bank))
      workspace.events.tell({ type: 'checkpoint', atMs, id: checkpoint.id, name })
      return show(checkpoint)
    },
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/checkpoints/{id}/restore',
    summary: 'Restore a checkpoint: bank, clock, chance, tokens, settings, faults and stubs',
    auth: 'control',
    needsBank: false,
    response: CheckpointReading,
    envelope: 'bare',
    problems: ['unknown-checkpoint'],
    example: made,
    handle: ({ workspace, params: { id } }) => {
      const checkpoint = find(workspace, id)
      workspace.restoreMark(checkpoint.mark)
      return show(checkpoint)
    },
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/checkpoints/{id}',
    summary: 'Delete a checkpoint',
    auth: 'control',
    needsBank: false,
    response: Deleted,
    envelope: 'bare',
    problems: ['unknown-checkpoint'],
    example: made,
    handle: ({ workspace, params: { id } }) => {
      const { name } = find(workspace, id)
      workspace.checkpoints.remove(id)
      workspace.events.tell({ type: 'checkpoint', atMs: workspace.clock.now(), id, name })
      return { deleted: 1 }
    },
  }),
]
