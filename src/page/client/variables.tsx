// The variables of a card: process.env of its code.

import { useEffect, useState } from 'preact/hooks'
import { performUndoable } from './acts.js'
import { ask } from './api.js'

/** `NAME=value` lines as variables; empty lines and comments are ignored. */
function read(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^\s*[^#\s]/.test(line))
  return Object.fromEntries(
    lines.map((line) => {
      const mark = line.indexOf('=')
      return mark < 0 ? [line.trim(), ''] : [line.slice(0, mark).trim(), line.slice(mark + 1)]
    }),
  )
}

const write = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

export function Variables({
  cardKey,
  variables,
}: {
  cardKey: string
  variables: Readonly<Record<string, string>>
}) {
  const saved = write(variables)
  const [text, setText] = useState(saved)
  useEffect(() => setText(saved), [saved])
  const save = (): void =>
    void performUndoable(
      'changing the variables',
      () =>
        ask('PUT', '/_sandbox/cards/{cardkey}/program', {
          params: { cardkey: cardKey },
          body: { variables: read(text) },
        }),
      'The variables are saved: the next run reads them.',
    )
  const count = Object.keys(variables).length
  return (
    <details>
      <summary>Variables{count > 0 && ` (${count})`}</summary>
      <label class="field">
        <span>Variables, NAME=value in each line</span>
        <textarea
          rows={4}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="button" disabled={text === saved} onClick={save}>
        Save variables
      </button>
    </details>
  )
}
