// What somebody does on the page. Where something is lost by it, a checkpoint is made first, so that Undo brings it back.

import { signal } from '@preact/signals'
import { ask } from './api.js'

/** What the last act came to, or why it was refused; read out to screen readers. */
export const message = signal<{ readonly text: string; readonly isError: boolean }>({
  text: '',
  isError: false,
})

export const say = (text: string, isError = false): void => {
  message.value = { text, isError }
}

/** Does something and says what came of it. Answers what `act` does; undefined when it was refused. */
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

/** Does something that can be undone: the checkpoint is named after it. */
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

/** A text to copy by hand: where the page comes from another machine without TLS, browsers have no clipboard. */
export const toCopy = signal('')

/** Copies a text and says so. */
export async function copy(text: string, what: string): Promise<void> {
  if (isSecureContext) {
    await navigator.clipboard.writeText(text)
    say(`Copied ${what}.`)
  } else toCopy.value = text
}
