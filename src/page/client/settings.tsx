// Settings of the workspace. Each row is one setting of the control API; a new one is shown as JSON without a change
// here.

import { useEffect, useState } from 'preact/hooks'
import { performUndoable } from './acts.js'
import { ask, type Answer, type Body } from './api.js'
import { controlCurl } from './curl.js'
import { useLoad } from './load.js'
import { CopyButton, LoadError } from './parts.js'

type Settings = Answer<'GET', '/_sandbox/settings'>
type Change = Body<'PUT', '/_sandbox/settings'>

/** The label of a setting, and its values if there are only a few. */
const known: Readonly<Record<string, { readonly text: string; readonly choices?: readonly string[] }>> = {
  strict: { text: 'Refuse requests that deviate from the declarations.' },
  behaviour: {
    text: "Follow the service's document or the live service where they disagree.",
    choices: ['documented', 'observed'],
  },
  settlement: { text: 'How long a card purchase stays pending: PT0S to P366D.' },
  pageSize: { text: 'Rows on a page of transactions; 0 returns all.' },
  rateLimit: { text: 'Requests of one token within a time, {"requests":10,"per":"PT1M"}; null: no limit.' },
  'hooks.onTimeout': { text: 'When code runs past its two seconds.', choices: ['approve', 'decline'] },
  'hooks.onError': { text: 'When code throws.', choices: ['approve', 'decline'] },
  'hooks.onNonBoolean': { text: 'When code returns no boolean.', choices: ['approve', 'decline'] },
  'hooks.onMissing': { text: 'When beforeTransaction is missing.', choices: ['approve', 'decline'] },
  'hooks.declinedSimulation': {
    text: 'The second hook of a simulation that was declined.',
    choices: ['afterTransaction', 'afterDecline'],
  },
  outbound: {
    text: 'What card code may call: allow, public, loopback, deny, or {"hosts":["api.example.com"]}.',
  },
  ownAddresses: { text: 'Base addresses that card code calls and this sandbox answers itself.' },
}

export function SettingsScreen() {
  const { value, error, reload } = useLoad(() => ask('GET', '/_sandbox/settings'), [], ['settings'])
  if (error !== '' && !value) return <LoadError error={error} retry={reload} />
  if (!value) return null
  const save = (name: string, setting: unknown): void => {
    const [outer, inner] = name.split('.')
    const body = { [outer!]: inner === undefined ? setting : { [inner]: setting } } as Change
    void performUndoable(
      `changing ${name}`,
      () => ask('PUT', '/_sandbox/settings', { body }),
      `${name} is changed. It counts from the next call on.`,
    ).then(reload)
  }
  return (
    <>
      <ul class="settings" aria-label="Settings">
        {flat(value).map(([name, setting]) => (
          <li key={name}>
            <Setting name={name} value={setting} save={(next) => save(name, next)} />
          </li>
        ))}
      </ul>
      <CopyButton
        name="Copy as curl"
        what="the settings as a command"
        text={() => controlCurl('PUT', 'settings', value)}
      />
    </>
  )
}

/** Each setting, and each hook policy, as its own row. */
const flat = (settings: Settings): (readonly [string, unknown])[] =>
  Object.entries(settings).flatMap(([name, value]) =>
    name === 'hooks'
      ? Object.entries(value as object).map(([each, policy]) => [`hooks.${each}`, policy as unknown] as const)
      : [[name, value as unknown] as const],
  )

interface SettingProps {
  readonly name: string
  readonly value: unknown
  readonly save: (value: unknown) => void
}

function Setting({ name, value, save }: SettingProps) {
  const { text = '', choices } = known[name] ?? {}
  const id = `setting-${name}`
  const control =
    typeof value === 'boolean' ? (
      <input
        id={id}
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => save(currentTarget.checked)}
      />
    ) : choices && typeof value === 'string' ? (
      <select id={id} value={value} onChange={({ currentTarget }) => save(currentTarget.value)}>
        {choices.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    ) : (
      <ValueField id={id} value={value} save={save} />
    )
  return (
    <>
      <label for={id}>
        <strong>{name}</strong> <span class="note">{text}</span>
      </label>
      <div>{control}</div>
    </>
  )
}

interface ValueProps {
  readonly id: string
  readonly value: unknown
  readonly save: (value: unknown) => void
}

/** A value as text, or as JSON when it is not plain text; saved by Enter or its button. */
function ValueField({ id, value, save }: ValueProps) {
  const saved = typeof value === 'string' ? value : JSON.stringify(value)
  const [text, setText] = useState(saved)
  useEffect(() => setText(saved), [saved])
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        save(read(text))
      }}
    >
      <input
        id={id}
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" disabled={text === saved}>
        Save
      </button>
    </form>
  )
}

/** The typed value: JSON, or else a text. The control API refuses invalid values. */
function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.trim()
  }
}
