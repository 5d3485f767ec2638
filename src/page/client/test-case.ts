// A transaction as a case for `sandbox-server card test`.

import type { Answer } from './api.js'

type Detail = Answer<'GET', '/_sandbox/transactions/{id}'>
type Stub = Answer<'GET', '/_sandbox/outbound/stubs'>['stubs'][number]

/** Every JSON string is also a YAML string. */
const text = (value: unknown): string => JSON.stringify(value)

/** The answers to the code's calls: from a stub that is set, or, as far as known, the status alone. */
function respondOf(call: Detail['executions'][number]['outbound'][number], stubs: readonly Stub[]): object {
  const stub = stubs.find(
    ({ match }) => match?.url === undefined || call.url.startsWith(match.url.replace(/\*.*$/, '')),
  )
  if (stub) return stub.respond
  return { status: call.status ?? 503, ...(call.ms > 0 && { delayMs: call.ms }) }
}

/** The file: the transaction is its only case; the code's calls are stubbed. */
export function testCase(
  { transaction, executions }: Detail,
  variables: Readonly<Record<string, string>>,
  stubs: readonly Stub[],
): string {
  const { merchant, centsAmount, currencyCode, type, decision, dateTime } = transaction
  const swipe = {
    cents: centsAmount,
    ...(currencyCode !== 'ZAR' && { currency: currencyCode }),
    ...(type !== 'purchase' && { type }),
    category: merchant.categoryCode,
    merchant: merchant.name,
    city: merchant.city,
    country: merchant.countryCode,
  }
  const calls = executions.flatMap(({ outbound }) => outbound)
  const addresses = new Map(calls.map((call) => [`${call.method} ${call.url}`, call]))
  const lines = ['code: main.js', `now: ${text(dateTime)}`]
  if (Object.keys(variables).length > 0) lines.push(`env: ${text(variables)}`)
  if (addresses.size > 0) lines.push('stubs:')
  for (const call of addresses.values())
    lines.push(
      `  - match: ${text({ method: call.method, url: call.url })}`,
      `    respond: ${text(respondOf(call, stubs))}`,
    )
  lines.push('cases:', `  ${text(`${merchant.name} is ${decision}`)}:`)
  // A hook that failed is expected to fail again: a case that does not say so would not pass.
  const failure = executions.find((each) => each.Error)?.Error?.code
  lines.push(
    `    swipe: ${text(swipe)}`,
    `    expect: ${failure === undefined ? decision : text({ decision, failure })}`,
    '',
  )
  return lines.join('\n')
}
