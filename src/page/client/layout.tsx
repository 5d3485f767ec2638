// The frame of all screens: workspace, scenario, clock, undo, navigation, messages.

import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { AccountsScreen } from './accounts.js'
import { message, perform, performUndoable, say, toCopy } from './acts.js'
import { ask, askAgain, missing, needsToken, useToken } from './api.js'
import { CardsScreen } from './cards.js'
import { CodeScreen } from './code.js'
import { FaultsScreen, isUsedUp } from './faults.js'
import { when } from './format.js'
import { useKey } from './keys.js'
import { notice, status } from './live.js'
import { useLoad } from './load.js'
import { Palette } from './palette.js'
import { Dialog, Empty, Field, Select } from './parts.js'
import { PaymentsScreen } from './payments.js'
import { RequestsScreen } from './requests.js'
import { goTo, linkTo, route, type Screen } from './route.js'
import { SettingsScreen } from './settings.js'
import { WorkspacesScreen } from './workspaces.js'

const screens: readonly (readonly [Screen, string, ComponentType])[] = [
  ['accounts', 'Accounts', AccountsScreen],
  ['cards', 'Cards', CardsScreen],
  ['code', 'Code', CodeScreen],
  ['requests', 'Requests', RequestsScreen],
  ['payments', 'Payments', PaymentsScreen],
  ['faults', 'Faults', FaultsScreen],
  ['settings', 'Settings', SettingsScreen],
  ['workspaces', 'Workspaces', WorkspacesScreen],
]

export function Layout() {
  const { screen, workspace } = route.value
  const [, name, Shown] = screens.find(([id]) => id === screen)!
  const main = useRef<HTMLElement>(null)
  const [dialog, setDialog] = useState<'' | 'palette' | 'help'>('')
  useEffect(() => {
    document.title = `${name} · sandbox-server`
  }, [name])
  useKey('mod+k', () => setDialog('palette'))
  useKey('?', () => setDialog('help'))
  const isSignedOut = needsToken.value
  const isMissing = missing.value === workspace
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current!.focus()
        }}
      >
        To the content
      </a>
      <header>
        {!isSignedOut && !isMissing && <Bar />}
        <Navigation current={screen} />
      </header>
      <main id="main" ref={main} tabIndex={-1} class={`on-${screen}`}>
        <h1>{name}</h1>
        {isSignedOut ? <TokenForm /> : isMissing ? <NoWorkspace name={workspace} /> : <Shown />}
      </main>
      <Messages />
      {dialog === 'palette' && <Palette screens={screens} onClose={() => setDialog('')} />}
      {dialog === 'help' && <Help onClose={() => setDialog('')} />}
      {toCopy.value !== '' && (
        <Dialog label="Copy this" onClose={() => (toCopy.value = '')}>
          <textarea aria-label="Text to copy" readOnly rows={12} value={toCopy.value} />
        </Dialog>
      )}
    </>
  )
}

/** A link to a workspace that was removed, or does not exist yet. */
const NoWorkspace = ({ name }: { name: string }) => (
  <Empty title={`This server has no workspace ${name}.`}>
    <a href={linkTo('workspaces', [], 'default')}>Show the workspaces</a>{' '}
    <button type="button" onClick={askAgain}>
      Try again
    </button>
  </Empty>
)

function Navigation({ current }: { current: Screen }) {
  const counts = useLoad(
    async () => {
      const [{ payments }, { faults }] = await Promise.all([
        ask('GET', '/_sandbox/payments', { query: { status: 'waiting' } }),
        ask('GET', '/_sandbox/faults'),
      ])
      return { payments: payments.length, faults: faults.filter((fault) => !isUsedUp(fault)).length }
    },
    [],
    // A call that a fault struck may have used it up.
    ({ type, fault }) => type === 'authorisation' || type === 'fault' || (fault ?? null) !== null,
  )
  const countOf: Partial<Record<Screen, number | undefined>> = counts.value ?? {}
  const links = useRef<HTMLElement>(null)
  // In a narrow window the links scroll.
  useEffect(() => {
    if (links.current!.scrollWidth <= links.current!.clientWidth) return
    links.current!.querySelector('[aria-current]')!.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current, counts.value])
  return (
    <nav aria-label="Screens" ref={links}>
      {screens.map(([id, name]) => (
        <a
          key={id}
          href={linkTo(id)}
          aria-current={id === current ? 'page' : undefined}
          onClick={() => say('')}
        >
          {name}
          {(countOf[id] ?? 0) > 0 && (
            <span class="count" aria-hidden="true">
              {countOf[id]}
            </span>
          )}
        </a>
      ))}
      {screens.map(([id]) => (
        <GoKey key={id} screen={id} />
      ))}
    </nav>
  )
}

/** `g` and the first letter; `o` for the code, because `c` is for the cards. */
function GoKey({ screen }: { screen: Screen }) {
  useKey(`g ${screen === 'code' ? 'o' : screen[0]!}`, () => goTo(screen))
  return null
}

const steps = [
  ['Advance 1 hour', '+1h', 'PT1H'],
  ['Advance 1 day', '+1d', 'P1D'],
  ['Advance 1 month', '+1M', 'P1M'],
] as const

function Bar() {
  const { workspace, screen } = route.value
  const { value } = useLoad(
    async () => {
      const [{ workspaces }, { scenarios }, { checkpoints }] = await Promise.all([
        ask('GET', '/_sandbox/workspaces'),
        ask('GET', '/_sandbox/scenarios'),
        ask('GET', '/_sandbox/checkpoints'),
      ])
      return { workspaces, scenarios, checkpoints }
    },
    [],
    ['checkpoint', 'workspace'],
  )
  const here = value?.workspaces.find(({ name }) => name === workspace)
  const names = (value?.workspaces ?? []).map(({ name }) => name)
  const scenarios = value?.scenarios.map(({ name }) => name) ?? []
  const shown = here && !scenarios.includes(here.scenario) ? [here.scenario, ...scenarios] : scenarios
  return (
    <div class="bar">
      <Select
        label="Workspace"
        value={workspace}
        options={(names.includes(workspace) ? names : [workspace, ...names]).map((name) => [name, name])}
        onChoose={(name) => goTo(screen, [], false, name)}
      />
      <Select
        label="Scenario"
        value={here?.scenario ?? ''}
        options={shown.map((name) => [name, name])}
        onChoose={switchScenario}
      />
      <span class={`status ${status.value}`}>
        <span aria-hidden="true">{status.value === 'live' ? '●' : '○'}</span> {status.value}
      </span>
      <div class="clock" role="group" aria-label="Clock">
        <Now clock={here?.clock} />
        {steps.map(([name, text, duration]) => (
          <button
            key={name}
            type="button"
            aria-label={name}
            title={name}
            onClick={() => advance(name, duration)}
          >
            {text}
          </button>
        ))}
      </div>
      <Undo last={value?.checkpoints.at(-1)} />
    </div>
  )
}

const advance = (name: string, duration: string): void =>
  void performUndoable(
    name,
    () => ask('POST', '/_sandbox/clock', { body: { advance: duration } }),
    ({ now }) => `It is ${when(now)}.`,
  )

const switchScenario = (scenario: string): void =>
  void performUndoable(
    `switching to ${scenario}`,
    () => ask('POST', '/_sandbox/scenario', { body: { scenario } }),
    `Started anew from ${scenario}. Undo brings back what was there.`,
  )

function Undo({ last }: { last: { id: string; name: string } | undefined }) {
  return (
    <button
      type="button"
      // Not `disabled`: the button that was just pressed would lose the focus.
      aria-disabled={!last}
      title={last ? `Undo: ${last.name}` : 'Nothing to undo'}
      onClick={() => {
        if (last) void undo(last)
      }}
    >
      Undo
    </button>
  )
}

/** Goes back to a checkpoint, which is used up by it. */
const undo = ({ id, name }: { id: string; name: string }): Promise<void> =>
  perform(async () => {
    const params = { id }
    await ask('POST', '/_sandbox/checkpoints/{id}/restore', { params })
    await ask('DELETE', '/_sandbox/checkpoints/{id}', { params })
  }, `Undone: ${name}.`)

/** The sandbox's time; a running clock is updated. */
function Now({ clock }: { clock: { now: string; frozen: boolean } | undefined }) {
  const [now, setNow] = useState(clock?.now ?? '')
  useEffect(() => {
    setNow(clock?.now ?? '')
    if (!clock || clock.frozen) return
    const timer = setInterval(() => {
      ask('GET', '/_sandbox/clock').then(
        (reading) => setNow(reading.now),
        () => undefined,
      )
    }, 10_000)
    return () => clearInterval(timer)
  }, [clock?.now, clock?.frozen])
  const isFrozen = clock?.frozen ?? true
  const name = isFrozen ? 'Let the clock run' : 'Stop the clock'
  const toggle = (): void =>
    void perform(
      () => ask('POST', '/_sandbox/clock', { body: isFrozen ? { resume: true } : { freeze: true } }),
      isFrozen ? 'The clock runs.' : 'The clock stands still.',
    )
  return (
    <>
      <time class="now" dateTime={now}>
        {now === '' ? '…' : when(now)}
      </time>
      <button type="button" aria-label={name} title={name} disabled={!clock} onClick={toggle}>
        <svg class="icon" viewBox="0 0 12 12" aria-hidden="true">
          <path d={isFrozen ? 'M3 1v10l8-5z' : 'M2 1h3v10H2zM7 1h3v10H7z'} />
        </svg>
      </button>
    </>
  )
}

function TokenForm() {
  const [token, setToken] = useState('')
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault()
        if (token.trim() !== '') useToken(token.trim())
      }}
    >
      <p>
        This server answers other machines only with its control token: what --control-token was given at its
        start.
      </p>
      <Field
        label="Control token"
        type="password"
        value={token}
        onInput={(event) => setToken(event.currentTarget.value)}
      />
      <button type="submit" class="primary">
        Continue
      </button>
    </form>
  )
}

/** The results of actions and the state of the connection, shown without moving anything. */
function Messages() {
  const { text, isError } = message.value
  return (
    <div class="messages">
      <p role="status" class={isError ? 'bad' : ''}>
        {text}
      </p>
      <p role="status" aria-label="Connection">
        {notice.value}
      </p>
      {(text !== '' || notice.value !== '') && (
        <button
          type="button"
          class="quiet"
          aria-label="Close messages"
          onClick={() => {
            say('')
            notice.value = ''
          }}
        >
          <span aria-hidden="true">✕</span>
        </button>
      )}
    </div>
  )
}

const keyTexts = [
  ['j, k', 'next, previous row'],
  ['Enter', 'open the row'],
  ['Esc', 'back to the row'],
  ['s', 'swipe'],
  ['r', 'swipe again'],
  ['g, then a letter', 'go to: accounts, cards, o code, requests, payments, faults, settings, workspaces'],
  ['Ctrl K', 'every command'],
  ['Ctrl Enter', 'simulate the draft'],
  ['Ctrl S', 'save the draft'],
  ['Ctrl Shift Enter', 'publish the draft'],
  ['?', 'this list'],
] as const

function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="Keys" onClose={onClose}>
      <dl class="keys">
        {keyTexts.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}
