// Requests: the calls of the code under test, and their answers. From a request the user can set a fault for its next
// call.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { copy, perform } from './acts.js'
import { ask, send, type Answer } from './api.js'
import { requestCurl, type CallRecord } from './curl.js'
import { FaultForm } from './fault-form.js'
import { duration, plural, time } from './format.js'
import { moveFocus, useKey } from './keys.js'
import { useLoad } from './load.js'
import { Empty, FilterField, LoadError } from './parts.js'
import { goTo, linkTo, route, workspace } from './route.js'
import { useFilter } from './rows.js'

type Calls = Answer<'GET', '/_sandbox/requests'>

/** The stored calls, oldest first; after an event only later ones are read. */
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
  const call = value?.find(({ id }) => String(id) === chosen)
  if (error !== '' && !value) return <LoadError error={error} retry={reload} />
  if (!value) return null
  if (value.length === 0) return <NoRequests />
  return (
    <div class="split">
      <section aria-label="Calls">
        <div class="row">
          <FilterField text={text} setText={setText} />
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
        <CallList calls={calls} chosen={chosen} />
      </section>
      {chosen !== undefined && (
        <section aria-label="Request" class="detail">
          <a class="back" href={linkTo('requests')}>
            Close
          </a>
          {call ? <OneRequest key={call.id} call={call} /> : <p>Call {chosen} is not kept any more.</p>}
        </section>
      )}
    </div>
  )
}

interface CallListProps {
  readonly calls: readonly CallRecord[]
  /** The id of the call that is shown. */
  readonly chosen: string | undefined
}

function CallList({ calls, chosen }: CallListProps) {
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
  return (
    <ul class="feed calls" aria-label="Requests" ref={list}>
      {calls.map((each) => (
        <li key={each.id}>
          <CallLink call={each} isChosen={String(each.id) === chosen} />
        </li>
      ))}
    </ul>
  )
}

function CallLink({ call, isChosen }: { call: CallRecord; isChosen: boolean }) {
  const { id, method, path, status, time: at } = call
  return (
    <a href={linkTo('requests', [String(id)])} data-item={id} aria-current={isChosen ? 'true' : undefined}>
      <span class={`code ${isFailed(call) ? 'bad' : 'good'}`}>{status ?? 'none'}</span>
      <span class="method">{method}</span>
      <span class="name" title={path}>
        {shortPath(path)}
      </span>
      <span class="note">{noteOf(call)}</span>
      <time dateTime={at}>{time(at)}</time>
    </a>
  )
}

/** The end of a path is the most useful part: of an id only the last four characters are shown. */
const shortPath = (path: string): string => path.replace(/\d{8,}(?=\d{4})/g, '…')

/** What was out of the ordinary about a call. */
function noteOf({ fault, problem, warnings }: CallRecord): string {
  if (fault !== null) return `fault ${fault}`
  return problem?.code ?? (warnings.length > 0 ? plural(warnings.length, 'warning') : '')
}

const isFailed = ({ status }: CallRecord): boolean => status === null || status >= 400

const here = async () => {
  const { workspaces } = await ask('GET', '/_sandbox/workspaces')
  return workspaces.find(({ name }) => name === workspace.value)!
}

/** A suggestion for a first call. */
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
      <Notes call={call} />
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

/** Why a call was refused, and where it deviates from the declarations. */
function Notes({ call: { problem, warnings } }: { call: CallRecord }) {
  return (
    <>
      {problem && (
        <p class="why">
          <strong class="bad">{problem.code}</strong> {problem.detail}
        </p>
      )}
      {warnings.length > 0 && (
        <section aria-label="Warnings">
          <h3>{plural(warnings.length, 'warning')}</h3>
          <p class="facts">
            Accepted, although the service may refuse it. With the{' '}
            <a href={linkTo('settings')}>setting strict</a> the sandbox refuses it too.
          </p>
          <ul>
            {warnings.map(({ code, path, message: text }, index) => (
              <li key={index}>
                <strong>{code}</strong> <span class="log">{path}</span> {text}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface MessageProps {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly search?: readonly (readonly [string, unknown])[]
}

/** Headers and body as sent, with secrets masked. All of it is foreign text. */
function Message({ title, headers, body, search = [] }: MessageProps) {
  return (
    <section aria-label={`${title} in full`}>
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
