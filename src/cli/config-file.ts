// The config file of the command: options of flags, in sandbox.config.js, .json or .yaml of the working directory.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OptionError } from '../node-api/option-types.js'
import type { OptionValues } from '../node-api/options.js'
import { readConfigOptions } from '../node-api/read-options.js'
import { UsageError } from './options.js'

const names = ['sandbox.config.js', 'sandbox.config.json', 'sandbox.config.yaml']

/** What the config file of a folder sets; nothing without one. Rejects with a {@link UsageError} of all errors. */
export async function configIn(folder: string): Promise<OptionValues> {
  const found = names.filter((name) => existsSync(join(folder, name)))
  const [name] = found
  if (name === undefined) return {}
  if (found.length > 1) throw new UsageError(`There are ${found.join(' and ')}; keep one of them.`)
  const refuse = (message: string): UsageError => new UsageError(message.replace(/^/gm, `${name}: `))
  const value = await valueOf(resolve(folder, name)).catch((error: unknown) => {
    throw refuse((error as Error).message)
  })
  try {
    return readConfigOptions(value ?? undefined)
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    throw refuse(error.message)
  }
}

async function valueOf(file: string): Promise<unknown> {
  if (file.endsWith('.js')) {
    const loaded = (await import(pathToFileURL(file).href)) as { default?: unknown }
    if (loaded.default === undefined) throw new Error('It exports nothing as default.')
    return loaded.default
  }
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.json')) return JSON.parse(text) as unknown
  const { readYaml } = await import('../scenario/yaml-text.js')
  const { unreadable, errors, value } = readYaml(text)
  if (unreadable !== undefined) throw new Error(unreadable)
  if (errors.length > 0) throw new Error(errors.map(({ line, text }) => `line ${line}: ${text}`).join('\n'))
  return value
}
