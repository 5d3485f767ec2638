// Step 4: query and body in the declared form, checked against their schemas; all errors at once.

import { nextTurn } from '../determinism/turns.js'
import type { Context, Endpoint, Host } from '../endpoint/endpoint.js'
import { invalid, type InputError } from '../protocol/problem.js'
import { maxErrors } from '../protocol/validation.js'
import { CallContext } from './context.js'
import { Deviations } from './normalise.js'
import { bodyErrors, bringsState, queryErrors, readBody, type Query } from './request.js'
import type { Visit } from './visit.js'

/** What every endpoint is handled with. */
export type AnyContext = Context<Record<string, string>, never, never> & Pick<CallContext, 'warnings'>

/** Query and body in the declared form; {@link validate} checks them. */
export function readInput(host: Host, visit: Visit, endpoint: Endpoint): AnyContext {
  const { workspace, parsed, grant, bank, form } = visit
  let { params } = visit
  let { query } = parsed
  let body = endpoint.body && readBody(endpoint, parsed)
  if (endpoint.auth !== 'control' && (endpoint.body || hasMembers(query))) {
    const deviations = (visit.deviations ??= new Deviations())
    query = deviations.query(endpoint.query, query)
    if (endpoint.body) body = deviations.body(endpoint.body, body)
  }
  if (endpoint.pathParams)
    params = (visit.deviations ??= new Deviations()).params(endpoint.pathParams, params)
  return new CallContext(host, {
    workspace,
    bank,
    grant,
    params,
    query,
    body,
    form,
    parsed,
  }) as unknown as AnyContext
}

/** Refuses query and body that do not fit their schemas, with all errors at once. */
export function validate(visit: Visit, endpoint: Endpoint, context: AnyContext): Promise<void> | undefined {
  if (endpoint.body || endpoint.query?.required || hasMembers(context.query))
    return check(visit, endpoint, context)
  accept(visit, [])
  return undefined
}

async function check(visit: Visit, endpoint: Endpoint, context: AnyContext): Promise<void> {
  const { errors = [], warnings = [] } = visit.deviations ?? {}
  const isRefused = errors.length > 0 || (visit.workspace.settings.strict && warnings.length > 0)
  const { method, path } = visit.parsed.call
  const isLong = bringsState(method, path)
  // A state takes long to parse, to check and to restore: other calls are answered in between.
  if (isLong) await nextTurn()
  accept(visit, [
    ...(await queryErrors(endpoint, context.query)),
    ...(await bodyErrors(endpoint, context, isRefused)),
  ])
  if (isLong) await nextTurn()
}

/** Refuses these errors of a call, and ambiguous spellings; a strict bank refuses every deviation. */
function accept(visit: Visit, found: readonly InputError[]): void {
  const { deviations, workspace } = visit
  if (deviations || found.length > 0) {
    const { errors = [], warnings = [] } = deviations ?? {}
    const all = [...errors, ...found]
    const sent = deviations?.errorsAsSent(all) ?? all
    const refused = workspace.settings.strict ? [...warnings, ...sent] : sent
    if (refused.length > 0)
      throw invalid(refused.slice(0, maxErrors).map(({ path, message }) => ({ path, message })))
  }
  visit.isValidated = true
}

function hasMembers(query: Query): boolean {
  for (const name in query) if (Object.hasOwn(query, name)) return true
  return false
}
