import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { optionTable } from '../node-api/options.js'
import { formats } from './handover.js'
import {
  commandOptions,
  completionOf,
  help,
  helpOf,
  readArguments,
  scenarioTask,
  UsageError,
} from './options.js'

type Environment = Record<string, string>

/** The options of a command line, written as one text. */
const read = (line: string, environment: Environment = {}) =>
  commandOptions(readArguments(line.split(' ').filter((part) => part !== '')), environment)

test('without flags it listens on port 3300 of this machine only', () => {
  expect(read('')).toEqual({
    port: 3300,
    host: '127.0.0.1',
    areCredentialsGiven: false,
    stateSync: 'soon',
    quiet: false,
    verbose: false,
    url: 'http://127.0.0.1:3300',
    workspace: 'default',
    json: false,
    variables: {},
    format: 'dotenv',
  })
  expect(read('start')).toEqual(read(''))
})

const flags = '--port=0 --host=::1 --seed=7 --now=2026-03-15 --scenario=default --cors=http://a.example,*'
const everything = `${flags} --cors http://b.example --allow-host bank.test --allow-host=192.168.1.5 --quiet --json --strict --behaviour observed`

test('every flag sets its option', () => {
  expect(read(everything)).toMatchObject({
    port: 0,
    host: '::1',
    seed: 7,
    nowMs: Date.parse('2026-03-15T00:00:00Z'),
    scenario: 'default',
    cors: ['http://a.example', '*', 'http://b.example'],
    allowHosts: ['bank.test', '192.168.1.5'],
    quiet: true,
    json: true,
    strict: true,
    behaviour: 'observed',
  })
})

test('the environment sets the same options, and a flag overrides it', () => {
  const environment = {
    SANDBOX_PORT: '0',
    SANDBOX_HOST: '::1',
    SANDBOX_SEED: '7',
    SANDBOX_NOW: '2026-03-15',
    SANDBOX_SCENARIO: 'default',
    SANDBOX_CORS: 'http://a.example, * ,http://b.example',
    SANDBOX_ALLOW_HOST: 'bank.test,192.168.1.5',
    SANDBOX_QUIET: '1',
    SANDBOX_JSON: 'true',
    SANDBOX_STRICT: '1',
    SANDBOX_BEHAVIOUR: 'observed',
  }
  expect(read('', environment)).toEqual(read(everything))
  expect(read('--port 1 --seed 0 --cors http://c.example', environment)).toMatchObject({
    port: 1,
    seed: 0,
    cors: ['http://c.example'],
  })
  const empty = Object.fromEntries(Object.keys(environment).map((name) => [name, '']))
  expect(read('', empty)).toEqual(read(''))
  expect(read('', { SANDBOX_QUIET: '0', SANDBOX_JSON: 'No' })).toMatchObject({ quiet: false, json: false })
})

test('the last of several values wins for a flag with one value', () => {
  expect(read('--seed 1 --seed 2')).toMatchObject({ seed: 2 })
})

test.each([
  ['stop', {}, "no command 'stop'"],
  ['nothing-like-it', {}, "no command 'nothing-like-it'; sandbox-server --help lists them."],
  ['cmpare', {}, "no command 'cmpare'; did you mean compare?"],
  ['--nothing-like-it', {}, 'no flag --nothing-like-it; sandbox-server --help lists them.'],
  ['--tsl', {}, 'no flag --tsl; did you mean --tls?'],
  ['start 3300', {}, "'3300'"],
  ['--prot 1', {}, 'no flag --prot; did you mean --port?'],
  ['-p 1', {}, '-p'],
  ['--port', {}, '--port'],
  ['--quiet=yes', {}, '--quiet'],
  ['--port x', {}, "--port must be a whole number from 0 to 65535, not 'x'"],
  ['--port 65536', {}, '--port'],
  ['--port=-1', {}, '--port'],
  ['--port 1.5', {}, '--port'],
  ['--port 1e3', {}, '--port'],
  ['--port=', {}, '--port'],
  ['--seed 4294967296', {}, '--seed must be a whole number from 0 to 4294967295'],
  ['--seed -1', {}, "--seed must be a whole number from 0 to 4294967295, not '-1'"],
  ['--port -1', {}, "--port must be a whole number from 0 to 65535, not '-1'"],
  ['--seed --quiet', {}, '--seed needs a value; one that begins with a dash is written --seed=VALUE'],
  ['--quiet -1', {}, '-1'],
  ['--seed 0x1', {}, '--seed'],
  ['--seed=', {}, '--seed'],
  ['--now 2026-02-30', {}, '--now must be a date from 1980 to 2200'],
  ['--now tomorrow', {}, '--now'],
  ['--now=', {}, '--now'],
  ['--now 1979-12-31', {}, '--now'],
  ['--behaviour live', {}, "--behaviour must be documented or observed, not 'live'."],
  ['--behaviour=', {}, '--behaviour'],
  ['', { SANDBOX_STRICT: 'perhaps' }, 'SANDBOX_STRICT must be 1 or 0'],
  ['--host=', {}, '--host must be an address'],
  ['--cors localhost:5173', {}, '--cors must be an origin'],
  ['--cors http://a.example/', {}, '--cors'],
  ['--cors http://A.example', {}, '--cors'],
  ['--cors http://a.example,file://x', {}, '--cors'],
  ['--allow-host http://bank.test', {}, '--allow-host must be a host name'],
  ['--allow-host bank.test:3300', {}, '--allow-host'],
  ['--allow-host *', {}, '--allow-host'],
  ['--allow-host=', {}, '--allow-host must not be empty'],
  ['--allow-host=, --cors=*', {}, '--allow-host must not be empty'],
  ['--cors=', {}, '--cors must not be empty'],
  [
    'exec --no-control --control-token=12345678 -- x',
    {},
    '--no-control turns off what --control-token opens',
  ],
  ['', { SANDBOX_NO_CONTROL: '1', SANDBOX_CONTROL_TOKEN: '12345678' }, '--no-control turns off'],
  ['--control-token=12345678', { SANDBOX_NO_CONTROL: '1' }, '--no-control turns off'],
  ['openapi --seed 1', {}, 'openapi takes no --seed, only --port and --host'],
  ['scenario list --port 1', {}, 'scenario takes no --port.'],
  ['', { SANDBOX_PORT: 'x' }, '--port'],
  ['', { SANDBOX_QUIET: 'perhaps' }, 'SANDBOX_QUIET must be 1 or 0'],
])('%p with %p is refused in one sentence', (line, environment, part) => {
  const refusal = (): unknown => read(line, environment)
  expect(refusal).toThrow(UsageError)
  expect(refusal).toThrow(part)
  expect(refusal).toThrow(/^[^\n]+\.$/)
})

test('all mistakes of the flags are named at once', () => {
  expect(() => read('--port x --cors localhost --allow-host bank.test:1 --control-token short')).toThrow(
    [
      "--port must be a whole number from 0 to 65535, not 'x'.",
      "--cors must be an origin such as http://localhost:5173, or *, not 'localhost'.",
      "--allow-host must be a host name such as bank.test, without a port, not 'bank.test:1'.",
      '--control-token must be 8 to 200 visible ASCII characters without a space.',
    ].join('\n'),
  )
})

test('the help names each flag once, with its description from the table', () => {
  const lines = help().split('\n')
  for (const row of Object.values(optionTable))
    if ('flag' in row) {
      const named = lines.filter(
        (line) => line.startsWith(`  --${row.flag}`) && line.endsWith(`  ${row.description}`),
      )
      expect([row.flag, named.length]).toEqual([row.flag, 1])
    }
})

test('--no-control overrides a token of the environment', () => {
  expect(read('--no-control', { SANDBOX_CONTROL_TOKEN: '12345678' })).toMatchObject({ control: false })
  expect(read('--control-token=12345678', { SANDBOX_NO_CONTROL: '0' })).toMatchObject({
    controlToken: '12345678',
  })
})

test('-h and -v are short for help and version, for every command', () => {
  expect(readArguments(['-h']).flags).toEqual({ help: true })
  expect(readArguments(['scenario', 'list', '-v']).flags).toEqual({ version: true })
  expect(readArguments(['openapi', '--port', '1']).flags).toEqual({ port: ['1'] })
})

test.each([
  [['list'], { verb: 'list' }],
  [['show', 'payday'], { verb: 'show', name: 'payday' }],
  [['validate', 'a', 'b'], { verb: 'validate', files: ['a', 'b'] }],
])('scenario %j', (operands, task) => expect(scenarioTask(operands)).toEqual(task))

test.each([[['list', 'x']], [['show']], [['show', 'a', 'b']], [['validate']], [['check', 'a']]])(
  'scenario %j is refused',
  (operands) =>
    expect(() => scenarioTask(operands)).toThrow('scenario takes list, show NAME or validate FILE'),
)

test('arguments after -- are unchanged', () => {
  expect(readArguments(['exec', '--', 'tool', '--seed', '-1']).operands).toEqual(['tool', '--seed', '-1'])
})

test('the help of a command says what it does and lists its flags', () => {
  const text = helpOf(['openapi'])
  expect(text.split('\n').slice(0, 3)).toEqual([
    'sandbox-server openapi [flags] [service|control]',
    '',
    "It prints the OpenAPI document of the service, or of the sandbox's own API.",
  ])
  expect([...text.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, flag]) => flag)).toEqual([
    'port',
    'host',
    'help',
    'version',
  ])
  expect(helpOf(['pull'])).toContain('sandbox-server pull --url BASE --out FILE')
  expect(helpOf(['scenario', 'from-har'])).toContain('sandbox-server scenario from-har FILE --out FILE')
  expect(() => helpOf(['strat'])).toThrow("There is no command 'strat'; did you mean start?")
})

/** The completions of bash for a line that ends at the cursor. */
function offered(line: string): string[] {
  const words = line.split(' ')
  const program = `${completionOf(['bash'])}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_sandbox_server
printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).split('\n').filter(Boolean)
}

test('bash completes commands, the flags of each, and the words of a flag', () => {
  expect(offered('sandbox-server sc')).toEqual(['scenario'])
  expect(offered('sandbox-server --tls-')).toEqual(['--tls-cert', '--tls-key'])
  expect(offered('sandbox-server env --fo')).toEqual(['--format'])
  expect(offered('sandbox-server start --fo')).toEqual([])
  expect(offered('sandbox-server env --format ')).toEqual(['dotenv', 'sh', 'json', 'powershell'])
  expect(offered('sandbox-server completion p')).toEqual(['powershell'])
})

test.each(['bash', 'zsh', 'fish', 'powershell'])(
  'the script for %s names every command and flag',
  (shell) => {
    const script = completionOf([shell])
    for (const word of ['start', 'exec', 'completion', 'compare', 'control-token', 'state-sync', 'always'])
      expect(script).toContain(word)
  },
)

test('an unknown shell has no script', () => {
  expect(() => completionOf(['csh'])).toThrow(
    "completion prints a script for one of bash, zsh, fish, powershell, not 'csh'.",
  )
})

test('for PowerShell a quote inside a value is doubled', () => {
  expect(formats.powershell({ SANDBOX_URL: "http://it's‘’" })).toBe("$env:SANDBOX_URL = 'http://it''s‘‘’’'")
})
