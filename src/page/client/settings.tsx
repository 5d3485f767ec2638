// Settings: what the workspace decides by. Each row is one setting as the control API has it; a new one is shown as JSON
// without a line here.

import { useEffect, useState } from 'preact/hooks'
import { performUndoable } from './acts.js'
import { ask, type Answer, type Body } from './api.js'
import { controlCurl } from './curl.js'
import { useLoad } from './load.js'
import { CopyButton, Failure, Select } from './parts.js'

type Settings = Answer<'GET', '/_sandbox/settings'>
type Change = Body<'PUT', '/_sandbox/settings'>

/** What a setting is about, and what it can be where that is a short list. */
const known: Readonly<Record<string, { readonly text: string; readonly choices?: readonly string[] }>> = {
  strict: { text: 'Refuse requests that deviate from the declarations' },
  behaviour: {
    text: 'Where document and live service disagree, follow',
    choices: ['documented', 'observed'],
  },
  settlement: { text: 'How long a card purchase stays pending (ISO 8601, PT0S to P366D)' },
  pageSize: { text: 'Rows on a page of transactions; 0 returns all' },
  rateLimit: { text: 'Requests of one token within a time; null: no limit' },
  'hooks.onTimeout': { text: 'When code runs past its two seconds', choices: ['approve', 'decline'] },
  'hooks.onError': { text: 'When code throws', choices: ['approve', 'decline'] },
  'hooks.onNonBoolean': { text: 'When code returns no boolean', choices: ['approve', 'decline'] },
  'hooks.onMissing': { text: 'When beforeTransaction is missing', choices: ['approve', 'decline'] },
  'hooks.declinedSimulation': {
    text: 'The second hook of a declined simulation',
    choices: ['afterTransaction', 'afterDecline'],
  },
  outbound: { text: 'What card code may call: "allow", "loopback", "deny", or {"hosts": […]}' },
  ownAddresses: { text: 'Base addresses of card code that this sandbox answers itself' },
}

export function SettingsScreen() {
  const { value, error, reload } = useLoad(() => ask('GET', '/_sandbox/settings'), [], ['settings'])
  if (error !== '' && !value) return <Failure error={error} retry={reload} />
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

/** Each setting, and each policy of the hooks, as a row of its own. */
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
  const label = text === '' ? name : `${name}: ${text}`
  if (typeof value === 'boolean')
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value}
          onChange={({ currentTarget }) => save(currentTarget.checked)}
        />
        {label}
      </label>
    )
  if (choices && typeof value === 'string')
    return (
      <Select label={label} value={value} options={choices.map((each) => [each, each])} onChoose={save} />
    )
  return <JsonField label={label} value={value} save={save} />
}

/** A value as JSON, saved when it is read as such. */
function JsonField({
  label,
  value,
  save,
}: {
  label: string
  value: unknown
  save: (value: unknown) => void
}) {
  const saved = JSON.stringify(value)
  const [text, setText] = useState(saved)
  useEffect(() => setText(saved), [saved])
  const read = parsed(text)
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        if (read) save(read.value)
      }}
    >
      <label class="field long">
        <span>{label}</span>
        <input
          value={text}
          spellcheck={false}
          aria-invalid={!read}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {text !== saved && (
        <button type="submit" disabled={!read}>
          Save
        </button>
      )}
    </form>
  )
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
