// Where the service's document and the live service disagree: the setting that chooses between them, and the table of
// all differences, from which `npm run docs` writes docs/fidelity.md.

/** The values of the setting `behaviour`, the default first. */
export const behaviours = ['documented', 'observed'] as const

/** `documented`: as the service's document says; `observed`: as the live service was seen to answer. */
export type Behaviour = (typeof behaviours)[number]

/** How a fact about the live service is known. */
type Source =
  | 'captured from the live service'
  | 'the public specification'
  | 'captured from the live service, the rule inferred'

/** One difference between the two behaviours. */
export interface Difference {
  readonly what: string
  readonly documented: string
  readonly observed: string
  readonly source: Source
}

/** Every difference, in the order of docs/fidelity.md. */
export const differences: readonly Difference[] = [
  {
    what: 'Errors of the token endpoint',
    documented: 'The JSON body of RFC 6749, section 5.2',
    observed:
      '400 or 401 without a body: `Content-Length: 0`, `Cache-Control: no-cache, no-store`, `Pragma: no-cache`',
    source: 'captured from the live service',
  },
  {
    what: 'Unknown account',
    documented: 'Problem body `unknown-account`',
    observed: '400 with the JSON string `"The specified account is invalid. (Parameter \'accountId\')"`',
    source: 'captured from the live service',
  },
  {
    what: 'Validation errors, such as a missing `profileId`',
    documented: 'Problem body `invalid-request` with `errors`',
    observed:
      '400 with an object of field name → list of messages: `{"profileId":["The profileId field is required."]}`',
    source: 'captured from the live service',
  },
  {
    what: 'Missing permission',
    documented: '401',
    observed: '403',
    source: 'the public specification',
  },
  {
    what: 'Internal error (500), including one that a fault injects without a body',
    documented: 'Problem body',
    observed:
      '`{"type":"https://tools.ietf.org/html/rfc9110#section-15.6.1","title":"An error occurred while processing your request.","status":500}`',
    source: 'captured from the live service',
  },
  {
    what: 'Scope of a token that was requested without a scope',
    documented: 'All scopes of the API key',
    observed:
      '`accounts balances beneficiarypayments transactions transfers`, as far as the API key permits them, in alphabetical order; the token still opens everything that the API key permits',
    source: 'captured from the live service',
  },
  {
    what: 'Items of the executions list',
    documented: 'Without `Error`',
    observed: 'With `Error`: null, or the error',
    source: 'the public specification',
  },
  {
    what: '`authorizationApproved` of the beforeTransaction of a real transaction',
    documented: 'The decision',
    observed: 'null',
    source: 'captured from the live service',
  },
  {
    what: 'Times of executions and of their logs',
    documented: 'Milliseconds in three digits',
    observed: 'Without the zeros at the end: `2026-03-25T08:00:00.48Z`',
    source: 'captured from the live service',
  },
  {
    what: '`actionDate` of transactions',
    documented: 'The day on which the row was posted',
    observed: 'The day of the request, so the same row differs from day to day',
    source: 'captured from the live service',
  },
  {
    what: '`valueDate` of card purchases',
    documented: 'The day of the purchase',
    observed: 'The last day of a month: the month of posting up to the 15th, the next month after that',
    source: 'captured from the live service, the rule inferred',
  },
  {
    what: 'Transactions of savings accounts',
    documented: 'With `postedOrder`, `valueDate` and a `uuid` for each row',
    observed:
      '`transactionType` null, `postedOrder` 0, `valueDate` null, and one `uuid` for all rows of a day',
    source: 'captured from the live service',
  },
]
