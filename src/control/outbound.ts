// What card code has called.

import { OutboundCallRecord } from '../bank/card-records.js'
import { defineEndpoint } from '../endpoint.js'
import { listOf, record } from '../schema.js'

export const outbound = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/outbound',
    summary: 'What card code has called, oldest first; secrets are redacted',
    auth: 'control',
    query: {
      type: 'object',
      properties: {
        cardKey: { type: 'string', description: 'Only the calls of this card.' },
        executionId: { type: 'string', description: 'Only the calls of this execution.' },
      },
    },
    response: record('OutboundCallList', 'The calls of the executions that are kept, oldest first.', {
      calls: listOf(OutboundCallRecord),
    }),
    envelope: 'bare',
    problems: [],
    handle: ({ bank, query: { cardKey, executionId } }) => ({
      calls: bank.cards.outbound.filter(
        (call) =>
          (cardKey === undefined || call.cardKey === cardKey) &&
          (executionId === undefined || call.executionId === executionId),
      ),
    }),
  }),
]
