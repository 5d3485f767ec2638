// Test files: finds them, reads them, checks them, and turns them into cases.

import { nearest } from '../protocol/nearest.js'
import { pointerTo } from '../protocol/json-pointer.js'
import { readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseInstant } from '../determinism/day.js'
import { parseMs } from '../determinism/duration.js'
import { stubErrors, type OutboundStub } from '../faults/outbound-stubs.js'
import type { InputError } from '../protocol/problem.js'
import type { Schema } from '../protocol/schema.js'
import { checkOf } from '../protocol/validation.js'
import type { BankOptions } from './bank-under-test.js'
import { readText, readVariables } from './card-file.js'
import {
  type CaseBody,
  type CaseFileBody,
  CaseFileSchema,
  type ExpectationBody,
  type ExpectedFields,
  type StepBody,
} from './case-schema.js'
import { LoopError } from './loop-error.js'
import { purchaseFrom, type PurchaseRequest } from './purchase.js'

/** One purchase of a case. */
export interface CaseStep {
  readonly purchase: PurchaseRequest
  readonly expect: ExpectedFields | undefined
  readonly advance: string | undefined
  readonly then: StepBody['then']
  /** The path of its `expect`, present or not. */
  readonly path: readonly (string | number)[]
}

export interface Case {
  readonly name: string
  /** Line of the file, from 1. */
  readonly line: number
  readonly steps: readonly CaseStep[]
  readonly stubs: readonly OutboundStub[]
  readonly variables: Readonly<Record<string, string>>
  readonly nowMs: number | undefined
}

export interface CaseFile {
  readonly file: string
  readonly text: string
  /** The path of the code, as the command names it. */
  readonly code: string
  readonly bank: BankOptions
  readonly card: string | undefined
  readonly network: 'allow' | 'loopback' | 'deny'
  readonly variables: Readonly<Record<string, string>> | undefined
  readonly cases: readonly Case[]
}

const maxDepth = 10
const maxFiles = 1_000

/** `card.test.yaml` and `*.card.test.yaml` below a directory, sorted, without packages and hidden directories. */
export function findCaseFiles(directory: string): string[] {
  const found: string[] = []
  const look = (at: string, depth: number): void => {
    for (const entry of readdirSync(join(directory, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory()) {
        if (depth < maxDepth && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
          look(path, depth + 1)
      } else if (/(^|\.)card\.test\.(ya?ml|json)$/.test(entry.name) && found.length < maxFiles)
        found.push(path)
    }
  }
  look('', 0)
  return found.sort()
}

/** The files that a readable test file names: a change of them is a change of its cases. */
export async function filesNamedBy(file: string, directory: string): Promise<string[]> {
  const { readYaml } = await import('../scenario/yaml-text.js')
  let body: unknown
  try {
    body = readYaml(readText(file, directory)).value
  } catch {
    // It is missing, or no YAML: then it names none.
  }
  const { env = 'env.json', scenario } = (body ?? {}) as Readonly<Record<string, unknown>>
  return [env, isScenarioPath(scenario) ? scenario : undefined]
    .filter((named) => typeof named === 'string')
    .map((named) => join(dirname(file), named))
}

const isScenarioPath = (scenario: unknown): boolean =>
  typeof scenario === 'string' && /[/\\]|\.ya?ml$/i.test(scenario)

/** Rejects with a {@link LoopError} that names every error by file and line. */
export async function readCaseFile(file: string, directory: string): Promise<CaseFile> {
  const text = readText(file, directory)
  const { readYaml } = await import('../scenario/yaml-text.js')
  const { value, unreadable, errors, lineOf, keyLineOf } = readYaml(text)
  if (unreadable !== undefined) throw new LoopError(`${file} ${unreadable}`)
  const told = errors.map(({ line, text: said }) => `${file}:${line}: ${said}`)
  if (told.length === 0 && (value === null || value === undefined))
    told.push(`${file} is empty: it needs cases.`)
  if (told.length > 0) throw new LoopError(told.join('\n'))
  const refuse = (found: readonly InputError[]): void => {
    if (found.length === 0) return
    const lineAt = ({ path, message }: InputError): number =>
      message.startsWith('is not a known key') ? keyLineOf(path) : lineOf(path)
    throw new LoopError(
      found.map((fault) => `${file}:${lineAt(fault)}: ${fault.path} ${fault.message}`).join('\n'),
    )
  }
  const check = await checkOf(CaseFileSchema)
  refuse(check(value).map((fault) => hinted(fault)))
  const body = value as CaseFileBody
  refuse(meaningErrors(body))
  const lineOfCase = (path: string): number => (/\/each\/\d+$/.test(path) ? lineOf(path) : keyLineOf(path))
  return caseFileOf(file, text, body, directory, lineOfCase)
}

/** An unknown key, with the intended one. */
function hinted({ path, message }: InputError): InputError {
  if (!message.startsWith('is not a known field')) return { path, message }
  const parts = path.split('/').slice(1)
  const name = parts.pop()!
  const near = nearest(name, namesAt(CaseFileSchema, parts))
  return {
    path,
    message: near === undefined ? 'is not a known key.' : `is not a known key: did you mean ${near}?`,
  }
}

/** The keys that a schema knows at a path. */
function namesAt(schema: Schema, [part, ...rest]: readonly string[]): string[] {
  const branches = [schema, ...(schema.anyOf ?? [])]
  if (part === undefined) return branches.flatMap(({ properties = {} }) => Object.keys(properties))
  return branches.flatMap(({ properties, additionalProperties, items }) => {
    const next = properties?.[part] ?? items ?? additionalProperties
    return typeof next === 'object' ? namesAt(next, rest) : []
  })
}

/** Checks that a schema cannot express. */
function meaningErrors({ now, stubs = [], cases }: CaseFileBody): InputError[] {
  const errors: InputError[] = []
  const instant = (path: string, text: string | undefined): void => {
    if (text !== undefined && parseInstant(text) === undefined)
      errors.push({ path, message: 'must be a date from 1980 to 2200, such as 2026-03-25T08:00:00Z' })
  }
  const answers = (at: string, list: readonly OutboundStub[]): void => {
    for (const [index, stub] of list.entries())
      for (const { path, message } of stubErrors(stub))
        errors.push({ path: `${at}/${index}${path}`, message })
  }
  instant('/now', now)
  answers('/stubs', stubs)
  for (const [name, each] of Object.entries(cases)) {
    const at = pointerTo('/cases', name)
    instant(`${at}/now`, each.now)
    answers(`${at}/stubs`, each.stubs ?? [])
    if (each.swipes && (each.swipe ?? each.each ?? each.expect))
      errors.push({ path: `${at}/swipes`, message: 'cannot be combined with swipe, each and expect' })
    if (!each.swipes && !each.swipe && !each.each)
      errors.push({ path: at, message: 'needs swipe, swipes or each' })
    for (const [index, { advance }] of (each.swipes ?? []).entries())
      if (advance !== undefined && parseMs(advance) === undefined)
        errors.push({
          path: `${at}/swipes/${index}/advance`,
          message: 'must be an ISO 8601 duration such as P1D or PT2H',
        })
  }
  return errors
}

function caseFileOf(
  file: string,
  text: string,
  body: CaseFileBody,
  directory: string,
  lineOf: (path: string) => number,
): CaseFile {
  const beside = dirname(file)
  const variables =
    typeof body.env === 'object' ? texts(body.env) : readVariables(body.env, resolve(directory, beside))
  const errors: string[] = []
  const cases: Case[] = []
  for (const [name, each] of Object.entries(body.cases)) {
    const at = pointerTo('/cases', name)
    const shared = {
      stubs: [...(each.stubs ?? []), ...(body.stubs ?? [])],
      variables: { ...variables, ...texts(each.env ?? {}) },
      nowMs: each.now === undefined ? undefined : parseInstant(each.now),
    }
    for (const { name: called, path, steps } of stepsOf(name, each)) {
      const pointer = `${at}${path}`
      const line = lineOf(pointer)
      try {
        cases.push({
          name: called,
          line,
          steps: steps.map((step) => stepOf(step)),
          ...shared,
        })
      } catch (error) {
        if (!(error instanceof LoopError)) throw error
        errors.push(...error.message.split('\n').map((said) => `${file}:${line}: ${pointer} ${said}`))
      }
    }
  }
  if (errors.length > 0) throw new LoopError(errors.join('\n'))
  const { scenario, seed, behaviour, now, card, network = 'deny' } = body
  return {
    file,
    text,
    code: join(beside, body.code ?? 'main.js').replaceAll('\\', '/'),
    bank: {
      scenario: isScenarioPath(scenario) ? resolve(directory, beside, scenario!) : scenario,
      seed,
      behaviour,
      nowMs: now === undefined ? undefined : parseInstant(now),
    },
    card,
    network,
    variables,
    cases,
  }
}

const texts = (variables: Readonly<Record<string, string | number | boolean>>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]))

/** The names of the cases in an unchecked value; it throws, or is wrong, when the value is not a test file. */
export const caseNames = (value: unknown): string[] =>
  Object.entries((value as CaseFileBody).cases).flatMap(([name, each]) =>
    stepsOf(name, each).map((step) => step.name),
  )

interface RawStep {
  readonly step: StepBody
  readonly path: readonly (string | number)[]
}

/** The cases of one entry: itself, or one for each row of its table. */
function stepsOf(
  name: string,
  { swipe = {}, swipes, each, expect }: CaseBody,
): { name: string; path: string; steps: RawStep[] }[] {
  if (swipes)
    return [
      {
        name,
        path: '',
        steps: swipes.map((step, index) => ({ step, path: ['cases', name, 'swipes', index, 'expect'] })),
      },
    ]
  if (!each)
    return [{ name, path: '', steps: [{ step: { ...swipe, expect }, path: ['cases', name, 'expect'] }] }]
  return each.map(({ name: called, ...row }, index) => {
    const amount = 'rand' in row || 'cents' in row
    const { rand, cents, ...others } = swipe
    const base = amount
      ? others
      : { ...others, ...(rand !== undefined && { rand }), ...(cents !== undefined && { cents }) }
    const { expect: own, ...parts } = row
    const label = called ?? Object.values(parts).join(' ')
    return {
      name: `${name} [${index + 1}] ${label}`.trimEnd(),
      path: `/each/${index}`,
      steps: [
        { step: { ...base, ...row, expect: own ?? expect }, path: ['cases', name, 'each', index, 'expect'] },
      ],
    }
  })
}

function stepOf({ step, path }: RawStep): CaseStep {
  const { expect, advance, then, ...parts } = step
  return { purchase: purchaseFrom(parts), expect: expect && fields(expect), advance, then, path }
}

const fields = (expect: ExpectationBody): ExpectedFields =>
  typeof expect === 'string' ? { decision: expect } : expect

/** The files that the operands name: files, and directories to search. Throws a {@link LoopError}. */
export function caseFilesOf(operands: readonly string[], directory: string): string[] {
  if (operands.length === 0) {
    const found = findCaseFiles(directory)
    if (found.length > 0) return found
    throw new LoopError(
      'There is no card.test.yaml and no *.card.test.yaml here; sandbox-server card init writes one.',
    )
  }
  return operands.flatMap((operand) => {
    try {
      if (!statSync(resolve(directory, operand)).isDirectory()) return [operand]
    } catch {
      return [operand]
    }
    return findCaseFiles(resolve(directory, operand)).map((file) => join(operand, file).replaceAll('\\', '/'))
  })
}
