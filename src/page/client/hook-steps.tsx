// The steps of a timeline: what a hook did, in the order of time, with links to the lines of main.js.

import type { ComponentChildren } from 'preact'
import { hookOf, hooks } from '../../bank/cards/hook-names.js'
import { performUndoable } from './acts.js'
import { ask, type Answer } from './api.js'
import { duration } from './format.js'

export type Execution = Answer<'GET', '/_sandbox/transactions/{id}'>['executions'][number]

interface HookProps {
  readonly execution: Execution
  readonly code: string
  /** Epoch ms of the first hook: times are counted from there. */
  readonly startMs: number
  readonly link: (line: number) => string
}

/** One hook: how it ended and how long it took, then its logs and calls, in the order of time. */
export function HookSteps({ execution, code, startMs, link }: HookProps) {
  const { type, startedAt, completedAt, authorizationApproved, Error: failure, logs, outbound } = execution
  const name = hookOf(type)
  const tookMs = Date.parse(completedAt) - Date.parse(startedAt)
  const at = (iso: string): string => duration(Math.max(0, Date.parse(iso) - startMs))
  const items = [
    ...logs.map((log) => ({ iso: log.createdAt, log, call: undefined })),
    ...outbound.map((call) => ({ iso: call.sentAt, log: undefined, call })),
  ].sort((a, b) => Number(a.iso > b.iso) - Number(a.iso < b.iso))
  // Only beforeTransaction decides; main.js need not have the others.
  if (failure?.code === 'missing-hook' && name !== 'beforeTransaction')
    return (
      <Step at={at(startedAt)}>
        <strong>{name}</strong> is not in main.js, so nothing ran
      </Step>
    )
  const line = failure?.line ?? lineOf(code, `${name} `) ?? lineOf(code, name)
  return (
    <>
      <Step at={at(startedAt)} isBad={failure !== null || authorizationApproved === false}>
        <strong>{name}</strong>
        {authorizationApproved === null
          ? failure
            ? ' failed'
            : ' ran'
          : failure
            ? ` failed, so the purchase is ${authorizationApproved ? 'approved' : 'declined'}`
            : ` → ${String(authorizationApproved)}`}
        <span class="took">
          {duration(tookMs)}
          <meter min={0} max={hooks[name].windowMs} value={tookMs} aria-label={`${name} of its window`} />
        </span>
        {line !== undefined && failure === null && code !== '' && <LineLink line={line} link={link} />}
      </Step>
      {items.map(({ iso, log, call }, index) =>
        log ? (
          <Step key={index} at={at(iso)} isInner>
            <span class={`level ${log.level}`}>{log.level === 'info' ? 'log' : log.level}</span>{' '}
            <span class="log">{log.content}</span>
            <LogLink code={code} content={log.content} link={link} />
          </Step>
        ) : (
          <Step key={index} at={at(iso)} isInner isBad={call.status === null}>
            {call.method} <span class="log">{call.url}</span>{' '}
            {call.status ?? <strong>{call.error ?? 'no answer'}</strong>} {duration(call.ms)}{' '}
            <StubThis url={call.url} method={call.method} />
          </Step>
        ),
      )}
      {failure && (
        <Step at={duration(Math.max(0, Date.parse(startedAt) - startMs + failure.afterMs))} isInner isBad>
          <strong>{failure.code}</strong> <span class="log">{failure.message}</span>
          {failure.line !== null && <LineLink line={failure.line} link={link} />}
        </Step>
      )}
    </>
  )
}

function LineLink({ line, link }: { line: number; link: (line: number) => string }) {
  return (
    <a class="line" href={link(line)}>
      main.js:{line}
    </a>
  )
}

/** The line of the code that contains the text of a log as a literal. */
function LogLink({ code, content, link }: { code: string; content: string; link: (line: number) => string }) {
  const line = content.length > 2 ? lineOf(code, content) : undefined
  return line === undefined ? null : <LineLink line={line} link={link} />
}

function lineOf(code: string, text: string): number | undefined {
  const at = code.indexOf(text)
  return at < 0 ? undefined : code.slice(0, at).split('\n').length
}

/** Answers the same call without a network from now on. */
function StubThis({ url, method }: { url: string; method: string }) {
  const stub = { match: { method, url: url.replace(/\?.*$/s, '*') }, respond: { status: 200, json: {} } }
  return (
    <button
      type="button"
      class="small"
      onClick={() =>
        void performUndoable(
          'adding a stub',
          () => ask('POST', '/_sandbox/outbound/stubs', { body: stub }),
          `Calls of ${url} are answered with 200 and {} from now on. Faults lists the stubs.`,
        )
      }
    >
      Stub this call
    </button>
  )
}

interface StepProps {
  readonly at: string
  readonly isBad?: boolean
  readonly isInner?: boolean
  readonly children: ComponentChildren
}

export function Step({ at, isBad = false, isInner = false, children }: StepProps) {
  return (
    <li class={`${isBad ? 'bad' : ''} ${isInner ? 'inner' : ''}`}>
      <span class="at">{at}</span>
      <div>{children}</div>
    </li>
  )
}
