// The data of a screen, read from the control API and read again when an event may have changed it.

import { useEffect, useRef, useState } from 'preact/hooks'
import { round } from './api.js'
import { listen, type LiveEvent } from './live.js'
import { workspace } from './route.js'

/** Loaded data: undefined until the first answer. */
export interface Loaded<T> {
  readonly value: T | undefined
  readonly error: string
  readonly reload: () => void
}

/** After these events everything may have changed. */
const always = ['reset', 'resync', 'clock']

/**
 * Reads data now, whenever `inputs` change, and after each event of these types. Events that arrive during a reading
 * cause one more reading, so that the last state is always shown and a flood costs few calls.
 */
export function useLoad<T>(
  read: (before: T | undefined) => Promise<T>,
  inputs: readonly unknown[],
  types: readonly string[] | ((event: LiveEvent) => boolean),
): Loaded<T> {
  const [state, setState] = useState<{ value: T | undefined; error: string }>({ value: undefined, error: '' })
  const reload = useRef<() => void>(() => undefined)
  const latest = useRef(read)
  latest.current = read
  const all = [...inputs, workspace.value, round.value]
  useEffect(() => {
    const now = { isOver: false, isReading: false, isStale: false, isAfresh: false }
    let value: T | undefined
    const run = async (): Promise<void> => {
      now.isStale = true
      if (now.isReading) return
      now.isReading = true
      while (now.isStale) {
        now.isStale = false
        const before = now.isAfresh ? undefined : value
        now.isAfresh = false
        try {
          value = await latest.current(before)
          if (!now.isOver) setState({ value, error: '' })
        } catch (error) {
          if (!now.isOver) setState((last) => ({ ...last, error: (error as Error).message }))
        }
        if (now.isOver) return
      }
      now.isReading = false
    }
    const start = (afresh: boolean): void => {
      if (afresh) now.isAfresh = true
      void run()
    }
    reload.current = () => start(true)
    const stop = listen((event) => {
      if (always.includes(event.type)) start(true)
      else if (typeof types === 'function' ? types(event) : types.includes(event.type)) start(false)
    })
    setState({ value: undefined, error: '' })
    start(true)
    return () => {
      now.isOver = true
      stop()
    }
  }, all)
  return { ...state, reload: () => reload.current() }
}
