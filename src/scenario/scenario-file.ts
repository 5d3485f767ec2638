// The contents of a scenario file. The JSON Schema in scenarios/, with which editors complete files, is generated
// from this.

import { BankStateSchema, type BankState } from '../bank/bank-state.js'
import { maxVariableLength, variablesBounds } from '../bank/cards/card-records.js'
import { RuleBody } from '../bank/cards/card-rules.js'
import { clientSchema } from '../bank/credentials.js'
import { FaultRule } from '../faults/faults.js'
import { OutboundStub } from '../faults/outbound-stubs.js'
import { listOf, type FromSchema, type Schema } from '../protocol/schema.js'
import { SettingsChange } from '../settings/settings.js'
import { Routine } from '../household/routine.js'
import { productNames } from '../bank/products.js'

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 200, description }) as const
const rand = (description: string) =>
  ({ type: 'number', minimum: -1_000_000_000, maximum: 1_000_000_000, description }) as const
const accountId = {
  type: 'string',
  pattern: '^[0-9]{25}$',
  description: 'An account id of 25 digits.',
} as const
const profileId = {
  type: 'string',
  pattern: '^[0-9]{14}$',
  description: 'A profile id of 14 digits.',
} as const
const cardKey = {
  type: 'string',
  pattern: '^[0-9]{6,7}$',
  description: 'A card key of 6 or 7 digits.',
} as const
/** Three bytes are four characters: of `101` the first is M, N or O, and so on. */
const threeDigits = '([MN][DTjz]|O[DT])[AEIMQUYcgk][w-z0-5]'
const beneficiaryId = {
  type: 'string',
  pattern: `^(${threeDigits}){4}([MN][DTjz]|O[DT])[AEIMQUYcgk]=$`,
  description: 'Base64 of a 14-digit number.',
} as const

/** An object whose members are all optional, except the required ones given. */
const partial = <
  const P extends Readonly<Record<string, Schema>>,
  const R extends readonly (keyof P & string)[],
>(
  title: string,
  description: string,
  properties: P,
  required: R,
) => ({ title, description, type: 'object', properties, required, additionalProperties: false }) as const

const client = clientSchema(
  { client: 'ScenarioClient', apiKey: 'ScenarioApiKey' },
  { type: 'string', minLength: 1, maxLength: 200 },
  listOf(accountId),
)
const ScenarioClient = {
  ...client,
  properties: {
    ...client.properties,
    apiKeys: { ...client.properties.apiKeys, minItems: 1, maxItems: 50 },
  },
} as const

const dropped = { anyOf: [{ const: 'all' }, { ...listOf(text('An id.')), maxItems: 1000 }] } as const

const ScenarioStandingOrder = partial(
  'ScenarioStandingOrder',
  'A payment to another account of the client that repeats, before and after the start.',
  {
    toAccountId: accountId,
    amount: { ...rand('In rand.'), exclusiveMinimum: 0 },
    date: { type: 'integer', minimum: 1, maximum: 28, description: 'Day of the month.' },
    months: {
      ...listOf({ type: 'integer', minimum: 1, maximum: 12 } as const),
      minItems: 1,
      maxItems: 12,
      description: 'Months of the year, 1 to 12; every month when absent.',
    },
    fromDescription: text('The text of the row on this account.'),
    toDescription: text('The text of the row on the other account.'),
  },
  ['toAccountId', 'amount', 'date', 'fromDescription', 'toDescription'],
)

const ScenarioAccount = partial(
  'ScenarioAccount',
  'An account: the one with this id is changed, or a new one is added.',
  {
    accountId,
    accountNumber: text('As rows and cards show it.'),
    accountName: text('Whose it is.'),
    referenceName: text('What its owner calls it.'),
    productName: { enum: productNames, description: 'The product, which decides what the account is.' },
    profileId,
    balance: rand('The current balance at the start, in rand; negative when it is overdrawn or a loan.'),
    overdraft: { ...rand('How far it may be overdrawn, in rand.'), minimum: 0 },
    history: {
      enum: ['household', 'business', 'quiet', 'none'],
      description: 'Its activity before and after the start; with `none` it has no rows before the start.',
    },
    openingBalance: rand(
      'The balance 13 months before the start, where its history begins, in rand; negative on a loan.',
    ),
    standingOrders: {
      ...listOf(ScenarioStandingOrder),
      maxItems: 50,
      description: 'Payments to other accounts of the client that repeat; they replace those that it has.',
    },
    rows: {
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000,
      description: 'How many rows to add before the start, besides those of its history.',
    },
    authorisers: {
      anyOf: [
        { type: 'null' },
        partial(
          'ScenarioAuthorisers',
          'Who must agree before money leaves the account.',
          {
            required: { type: 'integer', minimum: 1, maximum: 2, description: 'How many must agree.' },
            listA: {
              ...listOf(text('A name.')),
              minItems: 1,
              maxItems: 20,
              description: 'Names of those who may authorise first.',
            },
            listB: {
              ...listOf(text('A name.')),
              maxItems: 20,
              description: 'Names of those who may authorise second: both must agree.',
            },
          },
          ['required', 'listA'],
        ),
      ],
      description: 'Who must agree before money leaves, or null.',
    },
  },
  ['accountId'],
)

const ScenarioBeneficiary = partial(
  'ScenarioBeneficiary',
  'A person or company who may be paid: the one with this id is changed, or a new one is added.',
  {
    beneficiaryId,
    beneficiaryName: text('The name.'),
    accountNumber: text('Where the money goes.'),
    bank: text('The name of the bank.'),
    code: text('Its branch code.'),
    profileId,
    categoryId: text('14 digits.'),
    paid: { type: 'boolean', description: 'Whether it has been paid once in the online channel.' },
    approvedPublic: { type: 'boolean', description: 'Approved public beneficiaries are left out of lists.' },
    fasterPaymentAllowed: { type: 'boolean', description: 'Whether it can be paid at once.' },
  },
  ['beneficiaryId'],
)

const ScenarioCard = partial(
  'ScenarioCard',
  'A card: the one with this key is changed, or a new one is added.',
  {
    cardKey,
    accountId,
    pan: { type: 'string', pattern: '^[0-9]{16}$', description: 'A card number of 16 digits.' },
    expiry: {
      type: 'string',
      pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
      description: 'A month such as 2029-08.',
    },
    cvv: { type: 'string', pattern: '^[0-9]{3}$', description: 'Three digits.' },
    embossedName: text('The name on the card.'),
    programmable: { type: 'boolean', description: 'Whether card code runs for it. Default true.' },
    virtual: { type: 'boolean', description: 'Whether it is a virtual card. Default false.' },
    status: {
      type: 'string',
      pattern: '^[A-Z][A-Za-z ]{0,29}$',
      description:
        'A status such as Active or Blocked: a capital letter, then letters and spaces, 30 at most.',
    },
    enabled: { type: 'boolean', description: 'Whether published code runs on its transactions.' },
    code: { type: 'string', maxLength: 262_144, description: 'main.js, saved and published.' },
    codeFile: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description: 'The file that holds `code`, beside the scenario file or below its folder.',
      examples: ['./main.js'],
    },
    variables: {
      type: 'object',
      ...variablesBounds,
      additionalProperties: { type: 'string', maxLength: maxVariableLength },
      description: 'env.json.',
    },
    rule: RuleBody,
  },
  ['cardKey'],
)

/** The effect of a timeline event: exactly one of these. */
const TimelineEvent = partial(
  'TimelineEvent',
  'Something that happens by itself at its time: `after`, and exactly one event.',
  {
    after: {
      type: 'string',
      maxLength: 60,
      description: 'An ISO 8601 duration from the start.',
      examples: ['P1D'],
    },
    entry: partial(
      'TimelineEntry',
      'Money enters or leaves the bank.',
      {
        accountId,
        amount: { ...rand('In rand: positive enters the account, negative leaves it.') },
        description: text('The text of the row.'),
        transactionType: text('The category of the row.'),
      },
      ['accountId', 'amount', 'description'],
    ),
    purchase: partial(
      'TimelinePurchase',
      'A card is used at a shop: pending first, posted after the settlement time. No card code runs.',
      {
        cardKey,
        amount: { ...rand('In rand.'), exclusiveMinimum: 0 },
        merchant: text('The name of the shop.'),
        city: text('The city of the shop.'),
      },
      ['cardKey', 'amount', 'merchant'],
    ),
    cardStatus: partial(
      'TimelineCardStatus',
      'A card is blocked or unblocked.',
      { cardKey, status: ScenarioCard.properties.status },
      ['cardKey', 'status'],
    ),
    fault: FaultRule,
    clearFaults: { const: true, description: 'All faults are removed.' },
    settings: SettingsChange,
    expireTokens: { const: true, description: 'All issued tokens expire.' },
  },
  ['after'],
)

/** A scenario. */
export const ScenarioFile = partial(
  'Scenario',
  'A situation that a sandbox starts from.',
  {
    $schema: { type: 'string', description: 'The address of the JSON Schema, for editors.' },
    name: {
      type: 'string',
      pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
      maxLength: 60,
      description: 'A name in lower case with dashes.',
    },
    description: { type: 'string', minLength: 1, maxLength: 2000, description: 'What it is for.' },
    extends: text('The scenario that this one changes; `default` when nothing is said.'),
    seed: {
      type: 'integer',
      minimum: 0,
      maximum: 4_294_967_295,
      description: 'The seed from which its data are made. Default 1.',
    },
    clock: partial(
      'ScenarioClock',
      'The time at the start.',
      {
        now: text('A date or an instant, such as 2026-03-25T08:00:00Z.'),
        frozen: {
          type: 'boolean',
          description: 'Whether the clock is frozen; default true.',
        },
      },
      ['now'],
    ),
    credentials: {
      ...listOf(ScenarioClient),
      minItems: 1,
      maxItems: 50,
      description: 'Replace the usual ones.',
    },
    without: partial(
      'ScenarioWithout',
      'What of the extended scenario is left out; before anything is added.',
      {
        accounts: { ...dropped, description: 'Ids of accounts that the bank is not to have, or `all`.' },
        beneficiaries: {
          ...dropped,
          description: 'Ids of beneficiaries that the bank is not to have, or `all`.',
        },
        cards: { ...dropped, description: 'Keys of cards that the bank is not to have, or `all`.' },
      },
      [],
    ),
    bank: {
      ...BankStateSchema,
      description:
        'A whole bank instead of the generated one, as `GET /_sandbox/state` writes it; `pull` writes such a scenario.',
    },
    bankFile: {
      ...text('The JSON file that holds `bank`, beside the scenario file or below its folder.'),
      examples: ['my-bank.data.json'],
    },
    routines: {
      ...listOf(Routine),
      maxItems: 500,
      description: 'The activity in `bank` after the start. Without it nothing happens by itself.',
    },
    limits: partial(
      'ScenarioLimits',
      'The limits set in online banking, in rand, for every profile; null for none.',
      {
        payment: {
          type: ['number', 'null'],
          minimum: 0,
          description: 'The largest amount of one payment.',
        },
        day: { type: ['number', 'null'], minimum: 0, description: 'The largest total of a day.' },
      },
      [],
    ),
    accounts: {
      ...listOf(ScenarioAccount),
      maxItems: 500,
      description: 'Accounts that are changed or added, by their ids.',
    },
    beneficiaries: {
      ...listOf(ScenarioBeneficiary),
      maxItems: 5000,
      description: 'Beneficiaries that are changed or added, by their ids.',
    },
    cards: {
      ...listOf(ScenarioCard),
      maxItems: 500,
      description: 'Cards that are changed or added, by their keys.',
    },
    settings: SettingsChange,
    faults: { ...listOf(FaultRule), maxItems: 1000, description: 'Faults that are injected from the start.' },
    outboundStubs: {
      ...listOf(OutboundStub),
      maxItems: 1000,
      description: 'Answers for calls of card code.',
    },
    timeline: {
      ...listOf(TimelineEvent),
      maxItems: 10_000,
      description: 'What happens by itself as the clock goes on.',
    },
  },
  ['name', 'description'],
)
/** A scenario file, checked. */
export type ScenarioFile = Omit<FromSchema<typeof ScenarioFile>, 'bank'> & {
  readonly bank?: BankState | undefined
}
export type ScenarioAccount = FromSchema<typeof ScenarioAccount>
export type ScenarioBeneficiary = FromSchema<typeof ScenarioBeneficiary>
export type ScenarioCard = FromSchema<typeof ScenarioCard>
export type TimelineEvent = FromSchema<typeof TimelineEvent>
