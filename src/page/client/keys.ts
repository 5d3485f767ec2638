// Keyboard shortcuts. They are off while the user types in a field or the editor.

import { useLayoutEffect } from 'preact/hooks'

type Action = () => void
const actions = new Map<string, Action[]>()

/** Binds a key while a component is shown; the latest binding wins. */
export function useKey(key: string, action: Action, isOn = true): void {
  useLayoutEffect(() => {
    if (!isOn) return
    const list = actions.get(key) ?? []
    actions.set(key, [...list, action])
    return () =>
      actions.set(
        key,
        actions.get(key)!.filter((each) => each !== action),
      )
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, .editor, [contenteditable]') !== null

/** `g` waits for a second letter. */
let prefix = ''

/** Keys that mean something together with Ctrl or Command. */
const commandKeys = ['k', 'Enter', 's']

/** Whether a key press is left to the browser, or to the field or button that has the focus. */
function isForOthers(event: KeyboardEvent, name: string, isCommand: boolean): boolean {
  if (event.defaultPrevented || event.altKey) return true
  if (isCommand) return !commandKeys.includes(name)
  // Buttons and links handle Enter themselves.
  return isTyping(event.target) || (name === 'Enter' && event.target !== document.body)
}

function onKey(event: KeyboardEvent): void {
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const isCommand = event.ctrlKey || event.metaKey
  if (isForOthers(event, name, isCommand)) return
  const key = isCommand ? `mod+${event.shiftKey ? 'shift+' : ''}${name}` : prefix + name
  const action = actions.get(key)?.at(-1)
  if (document.querySelector('dialog[open]') && key !== 'Escape') return
  prefix = !isCommand && name === 'g' && prefix === '' ? 'g ' : ''
  if (!action) return
  event.preventDefault()
  action()
}

export const startKeys = (): void => addEventListener('keydown', onKey)

/** Moves the focus among the items of a list: `j` and `k` anywhere, arrows inside it. */
export function moveFocus(list: Element | null, step: number): void {
  if (!list) return
  const items = [...list.querySelectorAll<HTMLElement>('[data-item]')]
  const at = items.findIndex((item) => item === document.activeElement)
  const current = at < 0 ? items.findIndex((item) => item.getAttribute('aria-current') === 'true') : at
  const next = items[Math.min(items.length - 1, Math.max(0, current < 0 ? 0 : current + step))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
