// Mistakes in card code, found without running it.

import { maxVariableLength } from '../bank/cards/card-records.js'
import { maxCodeLength } from '../bank/cards/cards.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { listOf, record } from '../protocol/schema.js'

const place = (description: string) => ({ type: 'integer', description }) as const

const LintFinding = record('LintFinding', 'One thing that is wrong with card code, or may be.', {
  rule: { type: 'string', description: 'The name of the rule.' },
  severity: {
    enum: ['error', 'warning', 'info'],
    description: 'An error certainly fails; a warning probably does; info is good to know.',
  },
  message: { type: 'string', description: 'What is wrong, and what would be right.' },
  line: place('From 1.'),
  column: place('From 1.'),
  endLine: place('Where the marked text ends.'),
  endColumn: place('The column after the last character.'),
})

export const lint = [
  defineEndpoint({
    method: 'POST',
    path: '/_sandbox/lint',
    summary: 'Find mistakes in card code without running it',
    auth: 'control',
    needsBank: false,
    body: {
      title: 'LintRequest',
      type: 'object',
      properties: {
        code: { type: 'string', maxLength: maxCodeLength, description: 'main.js.' },
        variables: {
          type: 'object',
          additionalProperties: { type: 'string', maxLength: maxVariableLength },
          maxProperties: 1000,
          description: 'The variables of the card: others that the code reads are findings.',
        },
      },
      required: ['code'],
      additionalProperties: false,
    },
    response: record('LintResult', 'What was found, in the order of lines; 200 findings at most.', {
      findings: { ...listOf(LintFinding), description: 'What was found, in the order of the lines.' },
    }),
    envelope: 'bare',
    problems: ['invalid-request'],
    example: { body: { code: 'const beforetransaction = async () => true\n' } },
    handle: async ({ body: { code, variables } }) => {
      const { lintCard } = await import('../card-code/lint/lint.js')
      return { findings: lintCard(code, { variables }) }
    },
  }),
]
