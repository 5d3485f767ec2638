// The user's actions on the page. Before an action that loses data, a checkpoint is made, so that Undo restores it.

import { signal } from '@preact/signals'
import { ask } from './api.js'

/** The result of the last action, or why it was refused; read out to screen readers. */
export const message = signal<{ readonly text: string; readonly isError: boolean }>({
  text: '',
  isError: false,
})

export const say = (text: string, isError = false): void => {
  message.value = { text, isError }
}

/** Runs an action and reports its result. Returns the result of `act`; undefined when it was refused. */
export async function perform<T>(
  act: () => Promise<T>,
  done?: string | ((result: T) => string),
): Promise<T | undefined> {
  try {
    const result = await act()
    if (done !== undefined) say(typeof done === 'string' ? done : done(result))
    return result
  } catch (error) {
    say((error as Error).message, true)
    return undefined
  }
}

/** Runs an action that can be undone: the checkpoint is named after it. */
export const performUndoable = <T>(
  name: string,
  act: () => Promise<T>,
  done?: string | ((result: T) => string),
): Promise<T | undefined> =>
  perform(async () => {
    const { id } = await ask('POST', '/_sandbox/checkpoints', { body: { name } })
    try {
      return await act()
    } catch (error) {
      await ask('DELETE', '/_sandbox/checkpoints/{id}', { params: { id } })
      throw error
    }
  }, done)

/** A text to copy by hand: without TLS on another machine's page, browsers offer no clipboard. */
export const toCopy = signal('')

/** Copies a text and reports it. */
export async function copy(text: string, what: string): Promise<void> {
  if (isSecureContext) {
    await navigator.clipboard.writeText(text)
    say(`Copied ${what}.`)
  } else toCopy.value = text
}
