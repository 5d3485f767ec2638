// Applies the flags of a command to a test file, and writes results into it.

import { resolve } from 'node:path'
import { bankOptions, textOf, type Arguments } from './arguments.js'
import type { CaseFile } from './case-file.js'
import { writeText } from './output.js'
import type { CaseResult } from './case-run.js'
import type { FileReport } from './reporters.js'

/** Flags override the file. */
export function overridden(file: CaseFile, { flags }: Arguments): CaseFile {
  const asked = Object.entries(bankOptions(flags)).filter(([, value]) => value !== undefined)
  return {
    ...file,
    bank: { ...file.bank, ...Object.fromEntries(asked) },
    card: textOf(flags, 'card') ?? file.card,
  }
}

/** Writes the actual decisions into the steps without `expect`. */
export async function update(
  { file, results }: Pick<FileReport, 'file' | 'results'>,
  directory: string,
): Promise<void> {
  const changes = results.flatMap(({ steps }: CaseResult) =>
    steps.flatMap(({ step, decision }) => (step.expect ? [] : [[step.path, decision.decision] as const])),
  )
  if (changes.length === 0) return
  const { setInYaml } = await import('../scenario/yaml-text.js')
  writeText(resolve(directory, file.file), file.file, setInYaml(file.text, changes))
}
