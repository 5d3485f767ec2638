// `card lint`: the findings of one file or several.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../card-code/lint/rules.js'
import { textOf, type Arguments } from './arguments.js'
import { readCardFile, readText, readVariables } from './card-file.js'
import { LoopError } from './loop-error.js'
import type { Output } from './output.js'
import { counted, findingLine } from './show.js'

/** The findings of one file. TypeScript and modules are linted after bundling, as `card run` bundles them. */
export async function lintFile(
  file: string,
  directory: string,
  variables: Readonly<Record<string, string>> | undefined,
): Promise<Finding[]> {
  const { lintCard } = await import('../card-code/lint/lint.js')
  const source = readText(file, directory)
  if (!/\.[cm]?tsx?$/.test(file) && !/^\s*(?:import\b(?!\s*\()|export\s)/m.test(source))
    return lintCard(source, { variables })
  const card = await readCardFile(file, directory)
  return lintCard(card.code, { variables }).map((finding) => {
    const place = card.place(finding.line, finding.column)
    const column = place.column ?? 1
    return { ...finding, line: place.line, column, endLine: place.line, endColumn: column + 1 }
  })
}

/** Runs the command; returns the exit code. Rejects with a {@link LoopError}. */
export async function lint({ operands, flags }: Arguments, { print, directory }: Output): Promise<number> {
  const files = operands.length > 0 ? operands : ['main.js']
  if (operands.length === 0 && !existsSync(join(directory, 'main.js')))
    throw new LoopError('There is no main.js here: name the files, as in card lint card.js.')
  const variables = readVariables(textOf(flags, 'variables'), directory)
  const found: { file: string; findings: Finding[] }[] = []
  for (const file of files) found.push({ file, findings: await lintFile(file, directory, variables) })
  const all = found.flatMap(({ findings }) => findings)
  const count = (severity: Finding['severity']): number =>
    all.filter((each) => each.severity === severity).length
  if (flags.json === true) print(JSON.stringify({ files: found }, null, 2))
  else {
    for (const { file, findings } of found)
      for (const finding of findings)
        print(flags.github === true ? annotation(file, finding) : findingLine(file, finding))
    if (flags.github !== true)
      print(
        `${counted(files.length, 'file')}, ${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}`,
      )
  }
  return count('error') > 0 ? 1 : 0
}

/** A finding as a workflow command of GitHub Actions. */
export const annotation = (file: string, { severity, line, column, message, rule }: Finding): string =>
  `::${severity === 'info' ? 'notice' : severity} file=${property(file)},line=${line},col=${column},title=${property(rule)}::${data(message)}`

export const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

export const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
