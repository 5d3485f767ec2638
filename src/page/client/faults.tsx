// Faults for calls, and stubs for calls of card code.

import { performUndoable } from './acts.js'
import { ask, type Answer } from './api.js'
import { controlCurl } from './curl.js'
import { duration, plural } from './format.js'
import { useLoad } from './load.js'
import { Empty, LoadError } from './parts.js'
import { FaultForm, kinds, type FaultRule } from './fault-form.js'

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
  if (error !== '' && !value) return <LoadError error={error} retry={reload} />
  if (!value) return null
  const { faults, stubs } = value
  return (
    <>
      <FaultForm method="*" path="/za/**" />
      <FaultList faults={faults} />
      <h2>Stubs for card code</h2>
      <StubList stubs={stubs} />
    </>
  )
}

function FaultList({ faults }: Answer<'GET', '/_sandbox/faults'>) {
  if (faults.length === 0)
    return (
      <Empty
        title="No faults are set."
        curl={controlCurl('POST', 'faults', {
          match: { method: 'POST', path: '/za/pb/v1/accounts/*/paymultiple' },
          fault: { kind: 'reset', when: 'afterCommit' },
          times: 1,
        })}
      >
        Add a fault above, or from a request. This command loses the answer of the next payment:
      </Empty>
    )
  return (
    <Rules
      kind="fault"
      rules={faults.map(({ id, match, fault, delayMs, times, seen, applied }) => ({
        id,
        method: match?.method,
        target: match?.path,
        effect: effect(fault, delayMs),
        use: `${isUsedUp({ times, applied }) ? 'used up: ' : ''}struck ${times === undefined ? plural(applied, 'time') : `${applied} of ${plural(times, 'time')}`}, ${plural(seen, 'call')} matched`,
      }))}
      remove={(id) => ask('DELETE', '/_sandbox/faults/{id}', { params: { id } })}
    />
  )
}

function StubList({ stubs }: Answer<'GET', '/_sandbox/outbound/stubs'>) {
  if (stubs.length === 0)
    return (
      <p class="facts">
        None. Card code calls whatever the setting <code>outbound</code> allows. “Stub this call” in a
        transaction adds a stub.
      </p>
    )
  return (
    <Rules
      kind="stub"
      rules={stubs.map(({ id, match, respond, applied }) => ({
        id,
        method: match?.method,
        target: match?.url,
        effect: answer(respond.status ?? 200, respond.delayMs),
        use: `used ${plural(applied, 'time')}`,
      }))}
      remove={(id) => ask('DELETE', '/_sandbox/outbound/stubs/{id}', { params: { id } })}
    />
  )
}

/** Whether a fault will not strike again. */
export const isUsedUp = ({ times, applied }: { times?: number | undefined; applied: number }): boolean =>
  times !== undefined && applied >= times

/** A fault or a stub, in words. */
interface Rule {
  readonly id: string
  readonly method: string | undefined
  /** The path or the address that it is for. */
  readonly target: string | undefined
  readonly effect: string
  /** How often it was used. */
  readonly use: string
}

interface RulesProps {
  readonly kind: 'fault' | 'stub'
  readonly rules: readonly Rule[]
  readonly remove: (id: string) => Promise<unknown>
}

const Rules = ({ kind, rules, remove }: RulesProps) => (
  <ul class="rules" aria-label={kind === 'fault' ? 'Faults' : 'Stubs'}>
    {rules.map(({ id, method, target, effect, use }) => (
      <li key={id}>
        <strong>{id}</strong>
        <span class="log">
          {method ?? 'any method'} {target ?? 'any address'}
        </span>
        <span>{effect}</span>
        <span class="note">{use}</span>
        <button
          type="button"
          class="small"
          onClick={() =>
            void performUndoable(`removing ${kind} ${id}`, () => remove(id), `Removed ${kind} ${id}.`)
          }
        >
          Remove {id}
        </button>
      </li>
    ))}
  </ul>
)

/** What a fault does, in words. */
function effect({ status, kind, when }: NonNullable<FaultRule['fault']> = {}, delayMs?: number): string {
  if (status !== undefined) return answer(status, delayMs)
  if (kind === undefined) return `answer ${duration(delayMs ?? 0)} late`
  const rules: readonly (readonly [string, FaultRule])[] = Object.values(kinds)
  const known = rules.find(([, { fault }]) => fault?.kind === kind && fault.when === when)
  return `${known?.[0] ?? kind}${late(delayMs)}`
}

const answer = (status: number, delayMs?: number): string => `answer ${status}${late(delayMs)}`

const late = (delayMs = 0): string => (delayMs === 0 ? '' : `, ${duration(delayMs)} late`)
