// The card code that one workspace runs: how much may run, in which order with a frozen clock, and how it is stopped.

/** How many calls that run card code may run or wait in one workspace. */
export const maxCallsUnderWay = 128

/** Runs card code for one call. */
export interface ExecutionScope {
  /** Aborted when nobody waits for the call any more, or the workspace is reset. */
  readonly signal: AbortSignal
  /** Keeps the signal active until a promise settles: that of what a hook left running. */
  readonly keep: (left: Promise<unknown>) => void
}

/** How much card code a workspace may run, where it shares a bank with others. */
export interface ExecutionQuota {
  /** Refuses a call that runs card code, while so many of them are under way. Throws a `Problem`. */
  readonly admit: (underWay: number) => void
  /** A run has ended, which computed for so many ms of real time. */
  readonly computed: (ms: number) => void
}

export class Executions {
  quota: ExecutionQuota | undefined
  readonly #scopes = new Set<AbortController>()
  #underWay = 0
  #last: Promise<void> | undefined

  /** How many calls run card code now. */
  get underWay(): number {
    return this.#underWay
  }

  /** Whether the workspace accepts no more. */
  get isFull(): boolean {
    return this.#underWay >= maxCallsUnderWay
  }

  /**
   * Runs the card code of one call. `inOrder`: after that of earlier calls, so that with a frozen clock the decision
   * does not depend on the speed of threads.
   */
  async run<T>(
    { signal, inOrder }: { signal: AbortSignal | undefined; inOrder: boolean },
    work: (scope: ExecutionScope) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController()
    const left: Promise<unknown>[] = []
    const abort = (): void => controller.abort(new Error('the call that started it has ended'))
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    this.#scopes.add(controller)
    this.#underWay += 1
    try {
      const scope = {
        signal: controller.signal,
        keep: (promise: Promise<unknown>) => void left.push(promise),
      }
      return await (inOrder ? this.#afterOthers(() => work(scope)) : work(scope))
    } finally {
      this.#underWay -= 1
      void Promise.allSettled(left).then(() => {
        this.#scopes.delete(controller)
        signal?.removeEventListener('abort', abort)
      })
    }
  }

  /** Stops what runs and drops what waits. */
  stopAll(): void {
    this.#last = undefined
    for (const controller of this.#scopes) controller.abort(new Error('the workspace was reset or deleted'))
  }

  #afterOthers<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last ? this.#last.then(work) : work()
    const end = (): void => undefined
    this.#last = mine.then(end, end)
    return mine
  }
}
