// A test file with the flags of a command laid over it, and with what was seen written into it.

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { bankOptions, textOf, type Arguments } from './arguments.js'
import type { CaseFile } from './case-file.js'
import type { CaseResult } from './case-run.js'
import type { FileReport } from './reporters.js'

/** Flags take precedence over the file. */
export function overridden(file: CaseFile, { flags }: Arguments): CaseFile {
  const asked = Object.entries(bankOptions(flags)).filter(([, value]) => value !== undefined)
  return {
    ...file,
    bank: { ...file.bank, ...Object.fromEntries(asked) },
    card: textOf(flags, 'card') ?? file.card,
  }
}

/** Writes the decisions that were seen into the steps without `expect`. */
export async function update(
  { file, results }: Pick<FileReport, 'file' | 'results'>,
  directory: string,
): Promise<void> {
  const changes = results.flatMap(({ steps }: CaseResult) =>
    steps.flatMap(({ step, decision }) => (step.expect ? [] : [[step.path, decision.decision] as const])),
  )
  if (changes.length === 0) return
  const { setInYaml } = await import('../scenario/yaml-text.js')
  writeFileSync(resolve(directory, file.file), setInYaml(file.text, changes))
}
