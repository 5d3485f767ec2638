// Reads the options of the Node API by their table, all errors at once, and gives them to the parts that they are for.

import type { HttpOptions } from '../http/http-options.js'
import type { TlsOptions } from '../http/tls.js'
import { isJsonObject } from '../protocol/json.js'
import { nearest } from '../protocol/nearest.js'
import type { SandboxOptions } from '../sandbox/sandbox.js'
import { forHost } from './exposure.js'
import { shownValue, type Kind } from './option-kinds.js'
import { OptionError } from './option-types.js'
import {
  contradictions,
  listening,
  optionsAt,
  type OptionProblem,
  type OptionRow,
  type OptionValues,
  type Place,
} from './options.js'

/** The options of `createSandbox`. Throws an {@link OptionError} of all errors. */
export function readCreateOptions(options: unknown): SandboxOptions {
  return sandboxOptions(checked(options, 'createSandbox'))
}

/** The options of `startSandbox`, with their defaults. Throws an {@link OptionError} of all errors. */
export function readStartOptions(
  options: unknown,
): SandboxOptions & HttpOptions & TlsOptions & { port: number; host: string } {
  const values = checked(options, 'startSandbox')
  const { port = 0, host = '127.0.0.1' } = values
  return { ...sandboxOptions(values, host), ...httpOptions(values), ...tlsOptions(values), port, host }
}

/**
 * The options of a config file: those of `start`, `exec` and `env`, by their names in the Node API. Throws an
 * {@link OptionError} of all errors.
 */
export const readConfigOptions = (options: unknown): OptionValues => checked(options, 'start', ...listening)

/** The options of `sandboxRouter`. Throws an {@link OptionError} of all errors. */
export const readRouterOptions = (options: unknown): HttpOptions =>
  httpOptions(checked(options, 'sandboxRouter'))

/**
 * The options of {@link Sandbox} for options that have been read.
 *
 * @param host where the sandbox will listen; by default only this machine can reach it
 */
export function sandboxOptions(values: OptionValues, host = '127.0.0.1'): SandboxOptions {
  const { seed, now, strict, behaviour, outbound, scenario, watch } = values
  const options = {
    ...(seed !== undefined && { seed }),
    ...(now !== undefined && { nowMs: now }),
    ...(strict !== undefined && { strict }),
    ...(behaviour !== undefined && { behaviour }),
    ...(typeof scenario === 'string' && { scenario }),
    ...(typeof scenario === 'object' && { scenarioFile: scenario }),
    ...(outbound !== undefined && { outbound }),
    ...(watch !== undefined && { watch }),
  }
  return forHost(host, options, values)
}

/** The options of a server for options that have been read. */
export function httpOptions(values: OptionValues): HttpOptions {
  const { cors, allowHosts, control, controlToken, page, onRequest } = values
  return {
    ...(cors !== undefined && { cors }),
    ...(allowHosts !== undefined && { allowHosts }),
    ...(control !== undefined && { control }),
    ...(controlToken !== undefined && { controlToken }),
    ...(page !== undefined && { page }),
    ...(onRequest !== undefined && { onRequest }),
  }
}

/** The source of a server's certificate for options that have been read. */
export function tlsOptions(values: OptionValues): TlsOptions {
  const { tls, tlsCert, tlsKey } = values
  return {
    ...(tls !== undefined && { tls }),
    ...(tlsCert !== undefined && { tlsCert }),
    ...(tlsKey !== undefined && { tlsKey }),
  }
}

/** The options that are set, each read by its row; undefined stands for an option that is left out. */
function checked(options: unknown, ...places: Place[]): OptionValues {
  if (options === undefined) return {}
  if (!isJsonObject(options))
    throw new OptionError('options', `The options must be an object, not ${shownValue(options)}.`)
  // What only the terminal has, `--help` and the like, has a short form.
  const isFlagAlone = ({ short }: OptionRow): boolean => places.length > 1 && short !== undefined
  const rows = new Map<string, OptionRow>(
    places.flatMap((place) => optionsAt(place)).filter(([, row]) => !isFlagAlone(row)),
  )
  const values: Record<string, unknown> = {}
  const problems: OptionProblem[] = []
  for (const [option, value] of Object.entries(options)) {
    const row = rows.get(option)
    if (!row) {
      const known = [...rows.keys()]
      const meant = nearest(option, known)
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
      problems.push({
        option,
        message: `There is no option ${option}; known are ${known.join(', ')}.${hint}`,
      })
    } else if (value !== undefined) {
      const read = row.isList ? readList(row.kind, value) : row.kind.read(value)
      if (read === undefined) problems.push({ option, message: refusal(option, row, value) })
      else values[option] = read
    }
  }
  problems.push(...contradictions(values, (option) => `Option ${option}`))
  if (problems.length > 0)
    throw new OptionError(problems[0]!.option, problems.map(({ message }) => message).join('\n'))
  return values
}

function readList(kind: Kind, value: unknown): unknown[] | undefined {
  if (!Array.isArray(value)) return undefined
  const read = value.map((each) => kind.read(each))
  return read.includes(undefined) ? undefined : read
}

function refusal(option: string, { kind, isList }: OptionRow, value: unknown): string {
  const one = kind.wantedInCode ?? kind.wanted
  const wanted = isList ? `a list in which each item is ${one}` : one
  return `Option ${option} must be ${wanted}${kind.isSecret ? '' : `, not ${shownValue(value)}`}.`
}
