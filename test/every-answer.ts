// Runs before each test file: every answer of a sandbox in a test is compared with the endpoint's declaration.

import type { Behaviour } from '../src/protocol/behaviour.js'
import { Sandbox } from '../src/sandbox/sandbox.js'
import { breaches } from './contract.js'

const handle = Object.getOwnPropertyDescriptor(Sandbox.prototype, 'handle')!.value as Sandbox['handle']

Sandbox.prototype.handle = async function (call, within) {
  const before = behavioursOf(this)
  const reply = await handle.call(this, call, within)
  // Answers that a fault changes match no declaration.
  if (reply.fault !== undefined) return reply
  // A call may change the setting, and the workspace of a refused call is not known here.
  const found = []
  for (const behaviour of new Set([...before, ...behavioursOf(this)])) {
    const breached = await breaches(call, reply, behaviour)
    if (breached.length === 0) return reply
    found.push(...breached)
  }
  throw new Error(`An answer breaks its contract:\n${found.join('\n')}`)
}

const behavioursOf = (sandbox: Sandbox): Behaviour[] =>
  sandbox.workspaces.all.map(({ settings }) => settings.behaviour)
