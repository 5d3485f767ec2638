import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { configIn } from './config-file.js'
import { commandOptions, readArguments } from './options.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'config-'))
})
afterEach(() => rm(folder, { recursive: true }))

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)

test.each([
  ['sandbox.config.json', '{ "port": 3400, "cors": ["http://localhost:5173"], "quiet": true }'],
  ['sandbox.config.yaml', 'port: 3400\ncors: [http://localhost:5173]\nquiet: true\n'],
  ['sandbox.config.js', "module.exports = { port: 3400, cors: ['http://localhost:5173'], quiet: true }"],
])('%s sets the options of flags', async (name, text) => {
  await write(name, text)
  expect(await configIn(folder)).toEqual({ port: 3400, cors: ['http://localhost:5173'], quiet: true })
})

test('a flag overrides the environment, which overrides the config file, which overrides the scenario', async () => {
  await write(
    'sandbox.config.json',
    '{ "port": 3400, "seed": 7, "strict": true, "quiet": true, "page": false }',
  )
  const config = await configIn(folder)
  const options = (argv: readonly string[], environment: Record<string, string> = {}) =>
    commandOptions(readArguments(argv), environment, config)
  expect(options([])).toMatchObject({ port: 3400, seed: 7, strict: true, quiet: true, page: false })
  expect(options([], { SANDBOX_PORT: '3500', SANDBOX_QUIET: '0' })).toMatchObject({
    port: 3500,
    quiet: false,
  })
  expect(options(['--port', '3600'], { SANDBOX_PORT: '3500' })).toMatchObject({ port: 3600, seed: 7 })
  // A command without such a flag ignores the option.
  expect(options(['scenario', 'list'])).toMatchObject({ quiet: false })
})

test('an invalid config file is refused with every error', async () => {
  await write('sandbox.config.json', '{ "port": "many", "prot": 1, "help": true }')
  await expect(configIn(folder)).rejects.toThrow(
    /^sandbox\.config\.json: Option port must be a whole number from 0 to 65535, not "many"\.\nsandbox\.config\.json: There is no option prot; .* Did you mean port\?\nsandbox\.config\.json: There is no option help; /,
  )
  await write('sandbox.config.json', '{')
  await expect(configIn(folder)).rejects.toThrow(/^sandbox\.config\.json: .*JSON/)
  await write('sandbox.config.yaml', 'port: 1\n')
  await expect(configIn(folder)).rejects.toThrow(
    'There are sandbox.config.json and sandbox.config.yaml; keep one of them.',
  )
  await rm(join(folder, 'sandbox.config.json'))
  await write('sandbox.config.yaml', '- a list\n')
  await expect(configIn(folder)).rejects.toThrow('sandbox.config.yaml: The options must be an object')
})

test('without a config file nothing is set', async () => {
  expect(await configIn(folder)).toEqual({})
})
