// Set up before each test file: whatever a test asks a sandbox, the answer is held against what the endpoint declares.

import { Sandbox } from '../src/sandbox/sandbox.js'
import { breaches } from './contract.js'

const handle = Object.getOwnPropertyDescriptor(Sandbox.prototype, 'handle')!.value as Sandbox['handle']

Sandbox.prototype.handle = async function (call, ...workspace) {
  const reply = await handle.call(this, call, ...workspace)
  // What a fault makes of an answer keeps nobody's word.
  if (reply.fault !== undefined) return reply
  const found = await breaches(call, reply)
  if (found.length > 0) throw new Error(`An answer breaks its contract:\n${found.join('\n')}`)
  return reply
}
