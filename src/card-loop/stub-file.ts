// Stubs in a file: a JSON or YAML list, or the `stubs` of a test file.

import { OutboundStub } from '../faults/outbound-stubs.js'
import { isJsonObject } from '../protocol/json.js'
import { checkOf } from '../protocol/validation.js'
import { readText } from './card-file.js'
import { LoopError } from './loop-error.js'

const StubList = { type: 'array', items: OutboundStub, maxItems: 1_000 } as const

/** Rejects with a {@link LoopError} that names every error by its line. */
export async function readStubs(file: string, directory: string): Promise<OutboundStub[]> {
  const text = readText(file, directory)
  const { readYaml } = await import('../scenario/yaml-text.js')
  const { value, unreadable, errors, lineOf } = readYaml(text)
  if (unreadable !== undefined) throw new LoopError(`${file} ${unreadable}`)
  const list = isJsonObject(value) ? value.stubs : value
  const at = list === value ? '' : '/stubs'
  const found = [...errors.map(({ line, text: said }) => `${file}:${line}: ${said}`)]
  if (found.length === 0)
    for (const { path, message } of (await checkOf(StubList))(list))
      found.push(`${file}:${lineOf(at + path)}: ${at}${path} ${message}`)
  if (found.length > 0) throw new LoopError(found.join('\n'))
  return list as OutboundStub[]
}
