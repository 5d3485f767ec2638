// One program of the escape suite: what it tries, the body of its hook or a whole script, and how it ends. The programs run with 64 MB.

type Ending = 'returned' | 'threw' | 'timed-out' | 'out-of-memory'

export interface Escape {
  title: string
  source: string
  end: Ending
  /** The returned value. */
  value?: unknown
  /** The beginning of the thrown error: its name and its message. */
  error?: string
  windowMs: number
}

/** For programs that end by themselves: the longest window of a card, so that a busy machine makes no difference. */
const ample = 15_000
/** For programs that do not. */
const short = 200

const inHook = (body: string): string => `const hook = async (auth) => {\n${body}\n}`

/** A whole main.js, for code outside the hook. */
export const script = (
  title: string,
  source: string,
  ending: Pick<Escape, 'end' | 'value' | 'error'> & { windowMs?: number },
): Escape => ({ title, source, windowMs: ample, ...ending })

export const returned = (title: string, body: string, value?: unknown): Escape =>
  script(title, inHook(body), { end: 'returned', value })

export const threw = (title: string, body: string, error: string): Escape =>
  script(title, inHook(body), { end: 'threw', error })

export const starved = (title: string, body: string): Escape =>
  script(title, inHook(body), { end: 'out-of-memory', error: 'RangeError: out of memory' })

export const stopped = (title: string, body: string): Escape => {
  const error = `TimeoutError: hook ran past its window of ${short} ms`
  return script(title, inHook(body), { end: 'timed-out', error, windowMs: short })
}

export const tooDeep = 'RangeError: Maximum call stack size exceeded'
