// Set up before each test file: whatever a test asks a sandbox, the answer is held against what the endpoint declares.

import type { Behaviour } from '../src/protocol/behaviour.js'
import { Sandbox } from '../src/sandbox/sandbox.js'
import { breaches } from './contract.js'

const handle = Object.getOwnPropertyDescriptor(Sandbox.prototype, 'handle')!.value as Sandbox['handle']

Sandbox.prototype.handle = async function (call, within) {
  const before = behavioursOf(this)
  const reply = await handle.call(this, call, within)
  // What a fault makes of an answer keeps nobody's word.
  if (reply.fault !== undefined) return reply
  // A call may change the setting, and which workspace a refused call was of is not known here.
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
