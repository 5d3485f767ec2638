// Requests: what the code under test asked, and what it was answered. From a request one sets the fault that its next
// call meets.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { copy, perform, performUndoable } from './acts.js'
import { ask, send, type Answer, type Body } from './api.js'
import { requestCurl, type CallRecord } from './curl.js'
import { duration, time } from './format.js'
import { moveFocus, useKey } from './keys.js'
import { useLoad } from './load.js'
import { Empty, Failure, Field, Select } from './parts.js'
import { goTo, linkTo, route, workspace } from './route.js'
import { useFilter } from './rows.js'

type Calls = Answer<'GET', '/_sandbox/requests'>

/** The calls that are kept, oldest first; after an event only later ones are read. */
async function readCalls(before: CallRecord[] | undefined): Promise<CallRecord[]> {
  const last = before?.at(-1)
  const query = last ? { after: String(last.id) } : {}
  const { requests }: Calls = await ask('GET', '/_sandbox/requests', { query })
  return before && last ? [...before, ...requests].slice(-1000) : requests
}

export function RequestsScreen() {
  const [chosen] = route.value.rest
  const { value, error, reload } = useLoad<CallRecord[]>(readCalls, [], ['call'])
  const [text, setText, applied] = useFilter()
  const calls = useMemo(
    () =>
      [...(value ?? [])]
        .reverse()
        .filter(({ method, path, status }) =>
          `${method} ${path} ${status ?? ''}`.toLowerCase().includes(applied),
        ),
    [value, applied],
  )
  const list = useRef<HTMLUListElement>(null)
  useKey('j', () => moveFocus(list.current, 1))
  useKey('k', () => moveFocus(list.current, -1))
  useKey(
    'Escape',
    () => {
      goTo('requests')
      list.current?.querySelector<HTMLElement>(`[data-item="${chosen!}"]`)?.focus()
    },
    chosen !== undefined,
  )
  const call = value?.find(({ id }) => String(id) === chosen)
  if (error !== '' && !value) return <Failure error={error} retry={reload} />
  if (!value) return null
  if (value.length === 0) return <NoRequests />
  return (
    <div class="split">
      <section aria-label="Calls">
        <div class="row">
          <Field
            label="Filter"
            type="search"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="button" onClick={() => void perform(saveHar, 'Saved the calls as a HAR file.')}>
            Save as HAR
          </button>
        </div>
        {calls.length === 0 && (
          <p class="facts">
            No call has “{text}” in it.{' '}
            <button type="button" onClick={() => setText('')}>
              Show all calls
            </button>
          </p>
        )}
        <ul class="feed calls" aria-label="Requests" ref={list}>
          {calls.map((each) => (
            <li key={each.id}>
              <a
                href={linkTo('requests', [String(each.id)])}
                data-item={each.id}
                aria-current={String(each.id) === chosen ? 'true' : undefined}
              >
                <span class={`code ${isFailed(each) ? 'bad' : 'good'}`}>{each.status ?? 'no answer'}</span>
                <span class="method">{each.method}</span>
                <span class="name">{each.path}</span>
                {each.fault !== null && <span class="note">fault {each.fault}</span>}
                <time dateTime={each.time}>{time(each.time)}</time>
              </a>
            </li>
          ))}
        </ul>
      </section>
      {chosen !== undefined && (
        <section aria-label="Request" class="detail">
          <a class="back" href={linkTo('requests')}>
            Close the request
          </a>
          {call ? <OneRequest key={call.id} call={call} /> : <p>Call {chosen} is not kept any more.</p>}
        </section>
      )}
    </div>
  )
}

const isFailed = ({ status }: CallRecord): boolean => status === null || status >= 400

const here = async () => {
  const { workspaces } = await ask('GET', '/_sandbox/workspaces')
  return workspaces.find(({ name }) => name === workspace.value)!
}

/** What a first call could be. */
function NoRequests() {
  const [curl, setCurl] = useState('')
  useEffect(() => {
    const call = { method: 'GET', path: '/za/pb/v1/accounts', query: {}, request: { headers: {}, body: '' } }
    here().then(
      (own) => setCurl(requestCurl(call as unknown as CallRecord, own)),
      () => undefined,
    )
  }, [workspace.value])
  return (
    <Empty title="No request yet." curl={curl}>
      Run your program against this bank, or paste this into a terminal:
    </Empty>
  )
}

async function saveHar(): Promise<void> {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await (await send('/_sandbox/requests/har')).blob())
  link.download = 'requests.har'
  link.click()
  URL.revokeObjectURL(link.href)
}

function OneRequest({ call }: { call: CallRecord }) {
  const [isFault, setFault] = useState(false)
  const { method, path, status, ms, client, request, response, query, fault } = call
  const search = Object.entries(query)
  return (
    <>
      <h2>
        {method} {path}
      </h2>
      <p class="facts">
        {status ?? 'No answer'} · {duration(ms)} · {time(call.time)} · {client ?? 'unknown client'}
        {fault !== null && ` · fault ${fault} struck`}
      </p>
      <div class="acts" role="group" aria-label="What to do with it">
        <button
          type="button"
          onClick={() =>
            void perform(async () => copy(requestCurl(call, await here()), 'the request as a command'))
          }
        >
          Copy as curl
        </button>
        <button type="button" aria-expanded={isFault} onClick={() => setFault(!isFault)}>
          Fault…
        </button>
      </div>
      {isFault && <FaultForm method={method} path={path} />}
      <Message title="Request" headers={request.headers} body={request.body} search={search} />
      <Message title="Answer" headers={response.headers} body={response.body} />
    </>
  )
}

interface MessageProps {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly search?: readonly (readonly [string, unknown])[]
}

/** Headers and body as they came, secrets masked. All of it is text of somebody else. */
function Message({ title, headers, body, search = [] }: MessageProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <dl class="headers">
        {search.map(([name, value]) => (
          <div key={`?${name}`}>
            <dt>?{name}</dt>
            <dd>{[value].flat().map(String).join(', ')}</dd>
          </div>
        ))}
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {body !== '' && (
        <pre tabIndex={0} aria-label={`Body of the ${title.toLowerCase()}`}>
          {indented(body)}
        </pre>
      )}
    </section>
  )
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

type Rule = Body<'POST', '/_sandbox/faults'>

/** What can befall a call. The first is what is hardest to make happen otherwise. */
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
} as const satisfies Record<string, readonly [string, Rule]>
type Kind = keyof typeof kinds

const howOften = [
  ['1', 'once'],
  ['3', 'three times'],
  ['0', 'always'],
] as const

/** A fault for calls of one method and path; ids in the path count as any id. */
export function FaultForm({ method, path }: { method: string; path: string }) {
  const [kind, setKind] = useState<Kind>('lost-answer')
  const [times, setTimes] = useState('1')
  const [which, setWhich] = useState(path)
  const [verb, setVerb] = useState(method)
  const add = (): void => {
    const rule = kinds[kind][1] as Rule
    const body: Rule = {
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
