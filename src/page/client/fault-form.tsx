// The form that adds a fault: on its own screen, and filled in from a request.

import { useState } from 'preact/hooks'
import { performUndoable } from './acts.js'
import { ask, type Body } from './api.js'
import { Field, Select } from './parts.js'

export type FaultRule = Body<'POST', '/_sandbox/faults'>

/** The faults to choose from. The first is the hardest to cause in another way. */
export const kinds = {
  'lost-answer': ['lose the answer after commit', { fault: { kind: 'reset', when: 'afterCommit' } }],
  reset: ['break the connection before', { fault: { kind: 'reset' } }],
  'status-500': ['answer 500', { fault: { status: 500 } }],
  'status-503': ['answer 503', { fault: { status: 503 } }],
  'status-429': ['answer 429', { fault: { status: 429, headers: { 'retry-after': '1' } } }],
  hang: ['never answer', { fault: { kind: 'hang' } }],
  malformed: ['answer broken JSON', { fault: { kind: 'malformed' } }],
  'expire-token': ['expire the token', { fault: { kind: 'expire-token' } }],
  'delay-2000': ['answer two seconds late', { delayMs: 2_000 }],
} as const satisfies Record<string, readonly [string, FaultRule]>
type Kind = keyof typeof kinds

const howOften = [
  ['1', 'once'],
  ['2', 'twice'],
  ['3', '3 times'],
  ['5', '5 times'],
  ['10', '10 times'],
  ['0', 'always'],
] as const

/** A fault for calls of one method and path; ids in the path count as any id. */
export function FaultForm({ method, path }: { method: string; path: string }) {
  const [kind, setKind] = useState<Kind>('lost-answer')
  const [times, setTimes] = useState('1')
  const [which, setWhich] = useState(path)
  const [verb, setVerb] = useState(method)
  const add = (): void => {
    const rule = kinds[kind][1] as FaultRule
    const body: FaultRule = {
      match: { ...(verb !== '*' && { method: verb }), path: which },
      ...rule,
      ...(times !== '0' && { times: Number(times) }),
    }
    void performUndoable(
      'adding a fault',
      () => ask('POST', '/_sandbox/faults', { body }),
      ({ id }) => `Fault ${id} is set: ${kinds[kind][0]}, ${howOften.find(([each]) => each === times)![1]}.`,
    )
  }
  return (
    <form
      class="panel row"
      aria-label="Fault"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <Select
        label="Method"
        value={verb}
        options={['*', 'GET', 'POST', 'PUT', 'DELETE'].map((each) => [each, each === '*' ? 'any' : each])}
        onChoose={setVerb}
      />
      <Field
        label="Path"
        class="long"
        value={which}
        onInput={(event) => setWhich(event.currentTarget.value)}
      />
      <Select
        label="What happens"
        value={kind}
        options={Object.entries(kinds).map(([each, [text]]) => [each, text])}
        onChoose={(each) => setKind(each as Kind)}
      />
      <Select label="How often" value={times} options={howOften} onChoose={setTimes} />
      <button type="submit" class="primary">
        Add fault
      </button>
    </form>
  )
}
