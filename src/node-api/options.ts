// The one table of options. It validates flags, the environment, the Node API and the Express router, and `--help` is
// generated from it: a new option is one row here and one field of its interface.

import { behaviours } from '../protocol/behaviour.js'
import type { HttpOptions } from '../http/http-options.js'
import { maxSeed } from '../sandbox/sandbox.js'
import { isScenarioPath } from '../scenario/scenario-path.js'
import {
  callback,
  choice,
  duration,
  hostName,
  instant,
  origin,
  pattern,
  secret,
  scenarioInput,
  text,
  wholeNumber,
  yesOrNo,
  type Kind,
} from './option-kinds.js'

/** Where an option can be given: functions of the Node API, and commands. */
export type Place =
  | 'createSandbox'
  | 'startSandbox'
  | 'sandboxRouter'
  | 'start'
  | 'exec'
  | 'env'
  | 'scenario'
  | 'openapi'
  | 'tail'
  | 'help'
  | 'completion'

/** One option. */
export interface OptionRow {
  readonly kind: Kind
  readonly description: string
  readonly where: readonly Place[]
  /** Its flag, without the dashes; flags of `start` also have an environment variable. */
  readonly flag?: string
  readonly short?: string
  /** The placeholder of the flag's value in the help. */
  readonly placeholder?: string
  /** Its value is a list: the flag may be repeated, or contain several values with commas. */
  readonly isList?: boolean
  /** The flag turns the option off. */
  readonly isNegated?: boolean
}

export const listening: readonly Place[] = ['start', 'exec', 'env']
const creating: readonly Place[] = ['createSandbox', 'startSandbox', ...listening]
const serving: readonly Place[] = ['startSandbox', 'sandboxRouter', ...listening]
const everyCommand: readonly Place[] = [...listening, 'tail', 'scenario', 'openapi', 'help', 'completion']

/** Every option by its name in the Node API, in the order of the help. */
export const optionTable = {
  port: {
    kind: wholeNumber(0, 65_535),
    flag: 'port',
    placeholder: 'PORT',
    description: 'port to listen on; 0 takes a free one (default 3300)',
    where: ['startSandbox', ...listening, 'openapi'],
  },
  host: {
    // An empty address would mean every address of the machine.
    kind: text('an address such as 127.0.0.1'),
    flag: 'host',
    placeholder: 'ADDRESS',
    description: 'address to listen on (default 127.0.0.1)',
    where: ['startSandbox', ...listening, 'openapi'],
  },
  tls: {
    kind: yesOrNo,
    flag: 'tls',
    description: 'serve HTTPS with a new certificate, which clients can download from /_sandbox/ca.pem',
    where: ['startSandbox', ...listening],
  },
  tlsCert: {
    kind: text('the path of a certificate'),
    flag: 'tls-cert',
    placeholder: 'FILE',
    description: 'serve HTTPS with this certificate (PEM); needs --tls-key',
    where: ['startSandbox', ...listening],
  },
  tlsKey: {
    kind: text('the path of a private key'),
    flag: 'tls-key',
    placeholder: 'FILE',
    description: 'its private key (PEM, without a passphrase)',
    where: ['startSandbox', ...listening],
  },
  seed: {
    kind: wholeNumber(0, maxSeed),
    flag: 'seed',
    placeholder: 'NUMBER',
    description: 'another seed gives another household (default 1)',
    where: creating,
  },
  now: {
    kind: instant,
    flag: 'now',
    placeholder: 'DATE',
    description: 'freeze the clock at a date or an instant, ISO 8601',
    where: creating,
  },
  scenario: {
    kind: scenarioInput,
    flag: 'scenario',
    placeholder: 'NAME',
    description: 'scenario to start from: a name, or the path of a YAML file (default default)',
    where: creating,
  },
  watch: {
    kind: yesOrNo,
    flag: 'watch',
    description: 'publish the code of a card again when the codeFile of the scenario changes',
    where: ['createSandbox', 'startSandbox', 'start', 'exec'],
  },
  strict: {
    kind: yesOrNo,
    flag: 'strict',
    description: 'refuse requests that deviate from the declarations, instead of warning about them',
    where: creating,
  },
  behaviour: {
    kind: choice(behaviours),
    flag: 'behaviour',
    placeholder: 'NAME',
    description:
      "documented or observed: follow the service's document or the live service (default documented)",
    where: creating,
  },
  outbound: {
    kind: choice(['allow', 'public', 'loopback', 'deny']),
    flag: 'outbound',
    placeholder: 'POLICY',
    description:
      'where card code may call: allow, public, loopback or deny (default allow; public beyond this machine)',
    where: creating,
  },
  clientId: {
    kind: pattern(
      '8 to 200 visible ASCII characters without a space or a colon',
      /^[\x21-\x39\x3b-\x7e]{8,200}$/,
    ),
    flag: 'client-id',
    placeholder: 'ID',
    description: 'client id to sign in with (default sandbox-client)',
    where: creating,
  },
  clientSecret: {
    kind: secret,
    flag: 'client-secret',
    placeholder: 'SECRET',
    description: 'its secret (default sandbox-secret; random when other machines can reach the bank)',
    where: creating,
  },
  apiKey: {
    kind: secret,
    flag: 'api-key',
    placeholder: 'KEY',
    description: 'its API key (default sandbox-api-key; random when other machines can reach the bank)',
    where: creating,
  },
  cors: {
    kind: origin,
    isList: true,
    flag: 'cors',
    placeholder: 'ORIGIN',
    description: 'web page that may call: an origin, several with commas, or *',
    where: serving,
  },
  allowHosts: {
    kind: hostName,
    isList: true,
    flag: 'allow-host',
    placeholder: 'NAME',
    description: 'host name to answer to, besides loopback names',
    where: serving,
  },
  state: {
    kind: text('the path of a file'),
    flag: 'state',
    placeholder: 'FILE',
    description:
      'load the state from this file and keep the file up to date; it takes precedence over --seed, --now and --scenario',
    where: listening,
  },
  stateSync: {
    kind: choice(['soon', 'always']),
    flag: 'state-sync',
    placeholder: 'WHEN',
    description:
      'soon: write the state file within 300 ms of a change; always: before the answer is sent (default soon)',
    where: listening,
  },
  store: {
    kind: { ...text('an address such as postgres://user@host/database'), isSecret: true },
    flag: 'store',
    placeholder: 'ADDRESS',
    description: "keep a team's workspaces in Postgres, beside other replicas; needs the package pg",
    where: ['start'],
  },
  advertise: {
    kind: pattern('an address such as http://10.0.0.7:3300', /^https?:\/\/[^\s/?#@]+$/),
    flag: 'advertise',
    placeholder: 'ADDRESS',
    description: 'with --store: where the other replicas reach this one (default where it listens)',
    where: ['start'],
  },
  clusterSecret: {
    kind: secret,
    flag: 'cluster-secret',
    placeholder: 'SECRET',
    description: 'with --store: the secret that replicas share (default one that the store keeps)',
    where: ['start'],
  },
  workspaceTtl: {
    kind: duration,
    flag: 'workspace-ttl',
    placeholder: 'DURATION',
    description: 'with --store: delete workspaces that nobody has used for so long, such as P30D',
    where: ['start'],
  },
  storeJournal: {
    kind: yesOrNo,
    flag: 'store-journal',
    description: 'with --store: keep the journal of each workspace, too',
    where: ['start'],
  },
  quota: {
    kind: pattern(
      'rows, bytes, executions or computing with a number, such as rows=100000',
      /^(?:rows|bytes|executions|computing)=[1-9]\d{0,14}$/,
    ),
    isList: true,
    flag: 'quota',
    placeholder: 'NAME=NUMBER',
    description:
      'with --store: the most that each workspace may have: rows, bytes, executions at a time, or ms of computing a minute',
    where: ['start'],
  },
  controlToken: {
    kind: secret,
    flag: 'control-token',
    placeholder: 'TOKEN',
    description: 'opens the control API to other machines, which send it as a bearer token',
    where: [...serving, 'tail'],
  },
  control: {
    kind: yesOrNo,
    flag: 'no-control',
    isNegated: true,
    description: 'turn the control API under /_sandbox off',
    where: serving,
  },
  page: {
    kind: yesOrNo,
    flag: 'no-page',
    isNegated: true,
    description: 'serve no web page at /_sandbox/',
    where: serving,
  },
  quiet: {
    kind: yesOrNo,
    flag: 'quiet',
    description: 'print no line for each request',
    where: listening,
  },
  json: {
    kind: yesOrNo,
    flag: 'json',
    description: 'print JSON lines instead of text',
    where: [...listening, 'tail'],
  },
  verbose: {
    kind: yesOrNo,
    flag: 'verbose',
    description: 'print bodies, whole addresses and all warnings in the log',
    where: ['start', 'tail'],
  },
  url: {
    kind: text('the address of a bank, such as http://127.0.0.1:3300'),
    flag: 'url',
    placeholder: 'ADDRESS',
    description: 'bank whose log to follow (default http://127.0.0.1:3300)',
    where: ['tail'],
  },
  workspace: {
    kind: text('the name of a workspace'),
    flag: 'workspace',
    placeholder: 'NAME',
    description: 'workspace whose log to follow (default default)',
    where: ['tail'],
  },
  onRequest: {
    kind: callback<NonNullable<HttpOptions['onRequest']>>(),
    description: 'called for each answered request',
    where: ['startSandbox', 'sandboxRouter'],
  },
  env: {
    kind: pattern(
      'NAME=FIELD, where FIELD is one of url, clientId, clientSecret, apiKey',
      /^[A-Za-z_][A-Za-z0-9_]*=(?:url|clientId|clientSecret|apiKey)$/,
    ),
    isList: true,
    flag: 'env',
    placeholder: 'NAME=FIELD',
    description: 'one more variable: url, clientId, clientSecret or apiKey under another name',
    where: ['exec', 'env'],
  },
  format: {
    kind: choice(['dotenv', 'sh', 'json', 'powershell']),
    flag: 'format',
    placeholder: 'FORMAT',
    description: 'dotenv, sh, json or powershell (default dotenv)',
    where: ['env'],
  },
  help: { kind: yesOrNo, flag: 'help', short: 'h', description: 'print this', where: everyCommand },
  version: {
    kind: yesOrNo,
    flag: 'version',
    short: 'v',
    description: 'print the version',
    where: everyCommand,
  },
} as const satisfies Record<string, OptionRow>

export type OptionName = keyof typeof optionTable

/** The rows for a place. */
export const optionsAt = (place: Place): [OptionName, OptionRow][] =>
  (Object.entries(optionTable) as [OptionName, OptionRow][]).filter(([, { where }]) => where.includes(place))

/** Whether the flag of an option has a twin in the environment: that of a bank that runs, or of its log. */
export const hasVariable = ({ where, short }: OptionRow): boolean =>
  short === undefined && (where.includes('start') || where.includes('tail'))

/** What is wrong with one option. */
export interface OptionProblem {
  readonly option: string
  readonly message: string
}

type ValueOf<R> = R extends { readonly kind: Kind<infer T> }
  ? R extends { readonly isList: true }
    ? readonly T[]
    : T
  : never

/** Options whose values have been read, by name. */
export type OptionValues = { readonly [K in OptionName]?: ValueOf<(typeof optionTable)[K]> }

/**
 * Conflicts between valid options.
 *
 * @param nameOf the name of an option at the place
 */
export function contradictions(
  { control, controlToken, state, store, tlsCert, tlsKey, watch, scenario }: OptionValues,
  nameOf: (option: OptionName) => string,
): OptionProblem[] {
  const problems: OptionProblem[] = []
  if (control === false && controlToken !== undefined) {
    const message = `${nameOf('control')} turns off what ${nameOf('controlToken')} opens; leave one of them out.`
    problems.push({ option: 'controlToken', message })
  }
  if (state !== undefined && store !== undefined) {
    const message = `${nameOf('state')} and ${nameOf('store')} both keep the bank; use one of the two.`
    problems.push({ option: 'state', message })
  }
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    const [option, other] =
      tlsCert === undefined ? (['tlsKey', 'tlsCert'] as const) : (['tlsCert', 'tlsKey'] as const)
    problems.push({ option, message: `${nameOf(option)} needs ${nameOf(other)} as well.` })
  }
  if (watch === true && !(typeof scenario === 'string' && isScenarioPath(scenario))) {
    const message = `${nameOf('watch')} needs ${nameOf('scenario')} with the path of a file: it follows the files that its cards name as codeFile.`
    problems.push({ option: 'watch', message })
  }
  return problems
}
