// What a workspace decides by when card code runs: what happens when a hook fails, what code may call, and which
// addresses are the service's own. Plain data with defaults, set by a scenario or over the control API.

import { listOf, record, type FromSchema, type Schema } from '../protocol/schema.js'

const decision = (cause: string) =>
  ({ enum: ['approve', 'decline'], description: `beforeTransaction ${cause}.` }) as const

const HookPolicies = record('HookPolicies', 'What happens when beforeTransaction does not decide.', {
  onTimeout: decision('ran past its window of two seconds'),
  onError: decision('threw, or main.js does not run at all'),
  onNonBoolean: decision('returned something else than true or false'),
  onMissing: decision('is not in main.js'),
  declinedSimulation: {
    enum: ['afterTransaction', 'afterDecline'],
    description: 'The second hook of a simulation that was declined.',
  },
})

/** Where card code may call to. */
const OutboundPolicy = {
  description:
    '`allow`: everything but link-local and metadata addresses; `loopback`: this machine; `deny`: nothing; or a list of hosts (`api.example.com`, `*.example.com`, `localhost:8080`).',
  anyOf: [
    { enum: ['allow', 'loopback', 'deny'] },
    record('OutboundHosts', 'Nothing but these hosts.', {
      hosts: {
        ...listOf({
          type: 'string',
          pattern: '^(\\*\\.)?([A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$',
          maxLength: 260,
          description: 'A host such as api.example.com, *.example.com or localhost:8080.',
        }),
        maxItems: 1000,
      },
    }),
  ],
} as const satisfies Schema

const OwnAddresses = {
  ...listOf({
    type: 'string',
    pattern: '^(\\*|https?://[^\\s/?#@]+(/[^\\s?#]*)?)$',
    maxLength: 500,
    description: 'A base address such as https://api.example.com, or *.',
  }),
  maxItems: 100,
  description:
    "Calls of card code to these base addresses are answered by this very sandbox; `*` is every https host, as far as the path is one of the service's.",
} as const

/** What of the settings is about card code, as it goes over the wire. */
export const cardSettings = {
  hooks: HookPolicies,
  outbound: OutboundPolicy,
  ownAddresses: OwnAddresses,
} as const

/** The same where some of it is changed: what is left out stays as it is. */
export const cardSettingsChange = {
  ...cardSettings,
  hooks: { ...HookPolicies, title: 'HookPoliciesChange', required: [] as const },
} as const

/** The settings of card code. */
export interface CardSettings {
  readonly hooks: Readonly<FromSchema<typeof HookPolicies>>
  readonly outbound: FromSchema<typeof OutboundPolicy>
  readonly ownAddresses: readonly string[]
}

/** As on the real card: whatever goes wrong, the purchase is approved. */
export const defaultCardSettings: CardSettings = {
  hooks: {
    onTimeout: 'approve',
    onError: 'approve',
    onNonBoolean: 'approve',
    onMissing: 'approve',
    declinedSimulation: 'afterTransaction',
  },
  outbound: 'allow',
  ownAddresses: ['*'],
}

/** Policies with some of them changed. */
export function changeHooks(
  hooks: CardSettings['hooks'],
  change: FromSchema<typeof cardSettingsChange.hooks>,
): CardSettings['hooks'] {
  const { onTimeout, onError, onNonBoolean, onMissing, declinedSimulation } = change
  return {
    onTimeout: onTimeout ?? hooks.onTimeout,
    onError: onError ?? hooks.onError,
    onNonBoolean: onNonBoolean ?? hooks.onNonBoolean,
    onMissing: onMissing ?? hooks.onMissing,
    declinedSimulation: declinedSimulation ?? hooks.declinedSimulation,
  }
}
