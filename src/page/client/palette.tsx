// The command palette: Ctrl K.

import { useRef, useState } from 'preact/hooks'
import { performUndoable } from './acts.js'
import { ask } from './api.js'
import { Dialog } from './parts.js'
import { goTo, type Screen } from './route.js'

interface Command {
  readonly name: string
  readonly run: () => void
}

interface PaletteProps {
  readonly screens: readonly (readonly [Screen, string, unknown])[]
  readonly onClose: () => void
}

const others: readonly Command[] = [
  {
    name: 'Reset the workspace to its start',
    run: () => void performUndoable('the reset', () => ask('POST', '/_sandbox/reset'), 'Back at the start.'),
  },
  {
    name: 'Stop the clock',
    run: () =>
      void performUndoable('stopping the clock', () =>
        ask('POST', '/_sandbox/clock', { body: { freeze: true } }),
      ),
  },
  {
    name: 'Let the clock run',
    run: () =>
      void performUndoable('starting the clock', () =>
        ask('POST', '/_sandbox/clock', { body: { resume: true } }),
      ),
  },
  {
    name: 'Remove all faults',
    run: () =>
      void performUndoable(
        'removing all faults',
        () => ask('DELETE', '/_sandbox/faults'),
        'No faults any more.',
      ),
  },
]

export function Palette({ screens, onClose }: PaletteProps) {
  const [text, setText] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const commands: readonly Command[] = [
    ...screens.map(([id, name]) => ({ name: `Go to ${name}`, run: () => goTo(id) })),
    ...others,
  ]
  const found = commands.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
  const choose = (command: Command | undefined): void => {
    if (!command) return
    onClose()
    command.run()
  }
  return (
    <Dialog label="Commands" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          choose(found[0])
        }}
      >
        <label class="field">
          <span>Command</span>
          <input value={text} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      </form>
      <ul ref={list} class="commands">
        {found.map((command) => (
          <li key={command.name}>
            <button type="button" onClick={() => choose(command)}>
              {command.name}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p>No command has “{text}” in its name.</p>}
    </Dialog>
  )
}
