// The calls of card code, and stubs that answer them without a network.

import { OutboundCallRecord } from '../bank/cards/card-records.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import {
  outboundDifferences,
  OutboundMatch,
  OutboundStub,
  StubList,
  StubReading,
} from '../faults/outbound-stubs.js'
import { listOf, record } from '../protocol/schema.js'
import { Count, verified } from '../journal/expectation.js'
import { deleteAll, Deleted, deleteOne, tellChange } from './deletion.js'

const stubExample = {
  body: {
    match: { method: 'GET', url: 'https://api.example/**' },
    respond: { status: 200, json: { isAllowed: true }, delayMs: 100 },
  },
} as const

export const outbound = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/outbound',
    summary: 'The calls of card code, oldest first; secrets are redacted',
    auth: 'control',
    query: {
      type: 'object',
      properties: {
        cardKey: { type: 'string', maxLength: 100, description: 'Only the calls of this card.' },
        executionId: { type: 'string', maxLength: 100, description: 'Only the calls of this execution.' },
      },
    },
    response: record('OutboundCallList', 'The calls of the executions that are kept, oldest first.', {
      calls: { ...listOf(OutboundCallRecord), description: 'Calls of card code, oldest first.' },
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
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/outbound/stubs',
    summary: 'The stubs that answer calls of card code, and how often each has answered',
    auth: 'control',
    needsBank: false,
    response: StubList,
    envelope: 'bare',
    problems: [],
    handle: ({ workspace }) => ({ stubs: workspace.stubs.list }),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/outbound/stubs',
    summary: 'Answer calls of card code without a network; the first stub that matches wins',
    auth: 'control',
    needsBank: false,
    body: OutboundStub,
    response: StubReading,
    envelope: 'bare',
    problems: [],
    example: stubExample,
    handle: ({ workspace, body }) => {
      const { id, stub, applied } = workspace.stubs.add(body)
      tellChange(workspace, 'stub', id)
      return { id, ...stub, applied }
    },
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/outbound/stubs',
    summary: 'Delete all stubs',
    auth: 'control',
    needsBank: false,
    response: Deleted,
    envelope: 'bare',
    problems: [],
    handle: ({ workspace }) => deleteAll(workspace, 'stub'),
  }),
  defineEndpoint({
    method: 'DELETE',
    path: '/_sandbox/outbound/stubs/{id}',
    summary: 'Delete one stub',
    auth: 'control',
    needsBank: false,
    response: Deleted,
    envelope: 'bare',
    problems: ['unknown-stub'],
    example: async (ask) => {
      const { id } = await ask<{ id: string }>('POST', '/_sandbox/outbound/stubs', stubExample.body)
      return { params: { id } }
    },
    handle: ({ workspace, params: { id } }) => deleteOne(workspace, 'stub', id),
  }),
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/outbound/verify',
    summary: 'Whether card code has called as expected: 200, or 409 with the nearest calls',
    auth: 'control',
    body: {
      type: 'object',
      properties: { match: OutboundMatch, count: Count },
      required: ['match'],
      additionalProperties: false,
    },
    response: record('OutboundVerification', 'The calls that were expected.', {
      matched: { type: 'integer', description: 'How many calls of card code matched.' },
    }),
    envelope: 'bare',
    problems: ['verification-failed'],
    example: { body: { match: { url: 'https://api.example/**' }, count: { exactly: 0 } } },
    handle: ({ bank, body: { match, count } }) => {
      const matched = verified({
        calls: bank.cards.outbound,
        differences: (call) => outboundDifferences(call, match),
        count,
        show: ({ cardKey, method, url, status }) => ({ cardKey, method, url, status }),
      })
      return { matched: matched.length }
    },
  }),
]
