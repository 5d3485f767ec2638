// The settings of card code: what happens when a hook fails, what code may call, and which addresses are the
// sandbox's own.

import { listOf, record, type FromSchema, type Schema } from '../protocol/schema.js'
import type { Setting } from './setting.js'

const decision = (cause: string) =>
  ({ enum: ['approve', 'decline'], description: `The decision when beforeTransaction ${cause}.` }) as const

const HookPolicies = record('HookPolicies', 'What happens when beforeTransaction does not decide.', {
  onTimeout: decision('ran past its window of two seconds'),
  onError: decision('threw, or main.js cannot run at all'),
  onNonBoolean: decision('returned a value that is not a boolean'),
  onMissing: decision('is not in main.js'),
  declinedSimulation: {
    enum: ['afterTransaction', 'afterDecline'],
    description: 'The second hook of a simulation that was declined.',
  },
})
const HookPoliciesChange = {
  ...HookPolicies,
  title: 'HookPoliciesChange',
  required: [] as const,
} as const

type HookPolicies = Readonly<FromSchema<typeof HookPolicies>>

/** What happens when a hook fails. As on the real card, the purchase is approved by default. */
export const hookPolicies: Setting<typeof HookPolicies, typeof HookPoliciesChange, HookPolicies> = {
  schema: HookPolicies,
  change: HookPoliciesChange,
  initial: {
    onTimeout: 'approve',
    onError: 'approve',
    onNonBoolean: 'approve',
    onMissing: 'approve',
    declinedSimulation: 'afterTransaction',
  },
  toWire: (policies) => policies,
  fromWire: (change, before) => {
    const given = Object.entries(change).filter(([, value]) => value !== undefined)
    return { ...before, ...Object.fromEntries(given) }
  },
}

/** Where card code may send calls. */
export const outboundPolicy = {
  description:
    '`allow`: everything except link-local and metadata addresses; `public`: the same without this machine and private networks; `loopback`: this machine; `deny`: nothing; or a list of hosts (`api.example.com`, `*.example.com`, `localhost:8080`).',
  anyOf: [
    { enum: ['allow', 'public', 'loopback', 'deny'] },
    record('OutboundHosts', 'Only these hosts.', {
      hosts: {
        ...listOf({
          type: 'string',
          pattern: '^(\\*\\.)?([A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$',
          maxLength: 260,
          description: 'A host such as api.example.com, *.example.com or localhost:8080.',
        }),
        maxItems: 1000,
        description:
          'Hosts that card code may call, such as `api.example.com`, `*.example.com` or `localhost:8080`.',
      },
    }),
  ],
} as const satisfies Schema

export type OutboundPolicy = FromSchema<typeof outboundPolicy>

/** The policy of a state or an event, as far as a limit that was given at the start allows it. */
export const limitedPolicy = (policy: OutboundPolicy, limit: OutboundPolicy = 'allow'): OutboundPolicy =>
  limit === 'allow' || policy === 'deny' ? policy : limit

/** Base addresses that this sandbox itself answers. */
export const ownAddresses = {
  ...listOf({
    type: 'string',
    pattern: '^(\\*|https?://[^\\s/?#@]+(/[^\\s?#]*)?)$',
    maxLength: 500,
    description: 'A base address such as https://api.example.com, or *.',
  }),
  maxItems: 100,
  description:
    'Calls of card code to these base addresses are answered by this sandbox. `*` is every https host, for paths of the service.',
} as const
