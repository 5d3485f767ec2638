// The cases of a test file as tests of a test runner: one test for each case.

import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readYaml } from '../scenario/yaml-text.js'
import { readCardFile } from './card-file.js'
import { caseNames, readCaseFile } from './case-file.js'
import { type CaseResult, CaseRunner } from './case-run.js'
import { caseDetails } from './reporters.js'

/** The functions of a test runner. */
export interface TestFunctions {
  readonly describe: (name: string, define: () => void) => void
  readonly test: (name: string, run: () => Promise<void>) => void
}

/**
 * `defineCardTests` for a test runner.
 *
 * @returns a function that defines a test for each case of a file: the path of a `card.test.yaml`, relative to the
 * working directory, or its `file:` URL. An unreadable file becomes one test, which fails with the reason
 */
export const cardTests =
  ({ describe, test }: TestFunctions) =>
  (file: string | URL): void => {
    const path = typeof file === 'string' && !file.startsWith('file:') ? file : fileURLToPath(file)
    const names = namesIn(path)
    let results: Promise<Map<string, () => void>> | undefined
    describe(basename(path), () => {
      if (names.length === 0)
        test('can be read', async () => {
          await runAll(path)
          throw new Error(`${path} has no cases.`)
        })
      for (const name of names)
        test(name, async () => {
          const all = await (results ??= runAll(path))
          all.get(name)!()
        })
    })
  }

/** The names of the cases that can be read. */
function namesIn(path: string): string[] {
  try {
    return caseNames(readYaml(readFileSync(path, 'utf8')).value)
  } catch {
    return []
  }
}

async function runAll(path: string): Promise<Map<string, () => void>> {
  const directory = dirname(path)
  const file = await readCaseFile(basename(path), directory)
  const card = await readCardFile(file.code, directory)
  const runner = new CaseRunner()
  try {
    const results = await runner.run(file, card)
    return new Map(
      results.map((result) => [
        result.case.name,
        () => {
          if (result.status === 'failed') throw failureOf(path, result, caseDetails(result, card))
        },
      ]),
    )
  } finally {
    await runner.close()
  }
}

/** An error that points to the case, not to a line of this file. */
function failureOf(path: string, { case: { name, line } }: CaseResult, details: readonly string[]): Error {
  const error = new Error(`${name}\n${details.join('\n')}`)
  error.stack = `${error.message}\n    at ${path}:${line}:1`
  return error
}
