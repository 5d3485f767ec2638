// Files that a scenario file names: the bank in `bankFile`, the code of a card in `codeFile`. They are read only for
// scenario files on disk, and must be in the folder of the scenario or below it.

import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isJsonObject, type JsonObject } from '../protocol/json.js'
import type { InputError } from '../protocol/problem.js'

/** A state of a bank may contain a long history. */
const maxBankFile = { bytes: 256 * 1024 * 1024, text: '256 MiB' }
/** The longest main.js has 262,144 characters, of up to three bytes each. */
const maxCodeFile = { bytes: 768 * 1024, text: '768 KiB' }

export interface Refused {
  readonly errors: readonly InputError[]
}

/** A file that holds the code of a card. */
export interface CodeFile {
  readonly cardKey: string
  /** The folder of the scenario, in which the file must be. */
  readonly folder: string
  /** The path from there, as `codeFile` has it. */
  readonly name: string
}

interface Filled {
  readonly value: unknown
  readonly codeFiles: readonly CodeFile[]
}

/** The same scenario with the contents of its other files, or every error. */
export function withFiles(value: unknown, folder: string): Filled | Refused {
  if (!isJsonObject(value)) return { value, codeFiles: [] }
  const errors: InputError[] = []
  const report = (path: string) => (message: string) => void errors.push({ path, message })
  const withBank = withBankFile(value, folder, report('/bankFile'))
  const { cards } = withBank
  const filled = Array.isArray(cards)
    ? cards.map((card: unknown, index) => withCodeFile(card, folder, report(`/cards/${index}/codeFile`)))
    : cards
  if (errors.length > 0) return { errors }
  const codeFiles = (Array.isArray(cards) ? (cards as unknown[]) : []).flatMap((card): CodeFile[] => {
    if (!isJsonObject(card)) return []
    const { cardKey, codeFile: name } = card
    return typeof cardKey === 'string' && typeof name === 'string' ? [{ cardKey, folder, name }] : []
  })
  return { value: filled === undefined ? withBank : { ...withBank, cards: filled }, codeFiles }
}

/** The code that a file holds now, or why it has none. */
export function readCodeFile({
  folder,
  name,
}: CodeFile): { readonly code: string } | { readonly fault: string } {
  let fault = ''
  const code = textBelow(folder, name, maxCodeFile, (message) => (fault = message))
  return code === undefined ? { fault } : { code }
}

type Report = (message: string) => void

function withBankFile(value: JsonObject, folder: string, report: Report): JsonObject {
  const { bankFile, ...others } = value
  if (typeof bankFile !== 'string') return value
  if ('bank' in others) {
    report('cannot be combined with `bank`; leave one of them out')
    return value
  }
  const text = textBelow(folder, bankFile, maxBankFile, report)
  if (text === undefined) return value
  try {
    return { ...others, bank: JSON.parse(text) as unknown }
  } catch (error) {
    report(`is not JSON: ${(error as Error).message}`)
    return value
  }
}

function withCodeFile(card: unknown, folder: string, report: Report): unknown {
  if (!isJsonObject(card)) return card
  const { codeFile, ...others } = card
  if (typeof codeFile !== 'string') return card
  if ('code' in others) {
    report('cannot be combined with `code`; leave one of them out')
    return card
  }
  const code = textBelow(folder, codeFile, maxCodeFile, report)
  return code === undefined ? card : { ...others, code }
}

/** The text of a file in a folder or below it, following links; undefined when an error was reported. */
function textBelow(
  folder: string,
  name: string,
  max: { readonly bytes: number; readonly text: string },
  report: Report,
): string | undefined {
  try {
    const file = realpathSync(join(folder, name))
    if (!file.startsWith(realpathSync(folder) + sep)) report('must be in the folder of the scenario')
    else if (statSync(file).size > max.bytes) report(`must be at most ${max.text}`)
    else return readFileSync(file, 'utf8')
  } catch (error) {
    report(`cannot be read: ${(error as Error).message}`)
  }
  return undefined
}
