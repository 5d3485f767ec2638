// Faults: what is to go wrong with calls, and how calls of card code are answered.

import { performUndoable } from './acts.js'
import { ask } from './api.js'
import { controlCurl } from './curl.js'
import { useLoad } from './load.js'
import { Empty, Failure } from './parts.js'
import { FaultForm } from './requests.js'

export function FaultsScreen() {
  const { value, error, reload } = useLoad(
    async () => {
      const [{ faults }, { stubs }] = await Promise.all([
        ask('GET', '/_sandbox/faults'),
        ask('GET', '/_sandbox/outbound/stubs'),
      ])
      return { faults, stubs }
    },
    [],
    ['fault', 'stub', 'call', 'outbound'],
  )
  if (error !== '' && !value) return <Failure error={error} retry={reload} />
  if (!value) return null
  const { faults, stubs } = value
  return (
    <>
      <FaultForm method="*" path="/za/**" />
      {faults.length === 0 ? (
        <Empty
          title="Nothing is set to go wrong."
          curl={controlCurl('POST', 'faults', {
            match: { method: 'POST', path: '/za/pb/v1/accounts/*/paymultiple' },
            fault: { kind: 'reset', when: 'afterCommit' },
            times: 1,
          })}
        >
          Add a fault above, or from a request; the answer of the next payment is lost by:
        </Empty>
      ) : (
        <ul class="rules" aria-label="Faults">
          {faults.map(({ id, match, fault, delayMs, times, seen, applied }) => (
            <li key={id}>
              <span>
                <strong>{id}</strong> {match?.method ?? 'any method'}{' '}
                <span class="log">{match?.path ?? 'any path'}</span> · {effect(fault, delayMs)} · struck{' '}
                {applied}
                {times === undefined ? '' : ` of ${times}`}, saw {seen}
              </span>
              <button
                type="button"
                class="small"
                onClick={() =>
                  void performUndoable(
                    `removing fault ${id}`,
                    () => ask('DELETE', '/_sandbox/faults/{id}', { params: { id } }),
                    `Fault ${id} is gone.`,
                  )
                }
              >
                Remove {id}
              </button>
            </li>
          ))}
        </ul>
      )}
      <h2>Stubs for card code</h2>
      {stubs.length === 0 ? (
        <p class="facts">
          None. Calls of card code go where the settings let them; “Stub this call” in a transaction adds one.
        </p>
      ) : (
        <ul class="rules" aria-label="Stubs">
          {stubs.map(({ id, match, respond, applied }) => (
            <li key={id}>
              <span>
                <strong>{id}</strong> {match?.method ?? 'any method'}{' '}
                <span class="log">{match?.url ?? 'any address'}</span> · answers {respond.status ?? 200} ·
                answered {applied}
              </span>
              <button
                type="button"
                class="small"
                onClick={() =>
                  void performUndoable(
                    `removing stub ${id}`,
                    () => ask('DELETE', '/_sandbox/outbound/stubs/{id}', { params: { id } }),
                    `Stub ${id} is gone.`,
                  )
                }
              >
                Remove {id}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** What a rule does, in words. */
function effect(
  fault: { status?: number | undefined; kind?: string | undefined; when?: string | undefined } | undefined,
  delayMs: number | undefined,
): string {
  const late = delayMs === undefined ? [] : [`${delayMs} ms late`]
  const what =
    fault?.status !== undefined ? [`answers ${fault.status}`] : fault?.kind !== undefined ? [fault.kind] : []
  const at = fault?.when === 'afterCommit' ? ['after commit'] : []
  return [...what, ...at, ...late].join(', ')
}
