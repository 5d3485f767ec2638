// The jobs that wait for a thread. The next job comes from the lane with the fewest running jobs, and within the lane
// from the card with the fewest: whoever starts many executions waits for them, and nobody else does.

/** The owner of a job: a workspace, and a card within it. */
export interface Owner {
  readonly lane: string
  readonly card: string
}

export class FairQueue<J extends Owner> {
  readonly #lanes = new Map<string, J[]>()
  readonly #running = new Map<string, number>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Whether a waiting job belongs to a lane with nothing running. */
  get hasIdleLane(): boolean {
    for (const lane of this.#lanes.keys()) if (this.#runningOf(lane) === 0) return true
    return false
  }

  push(job: J): void {
    const jobs = this.#lanes.get(job.lane)
    if (jobs === undefined) this.#lanes.set(job.lane, [job])
    else jobs.push(job)
    this.#size += 1
  }

  /** Takes the next job and counts it as running until {@link done}. */
  take(): J | undefined {
    let best: { lane: string; jobs: J[]; running: number } | undefined
    for (const [lane, jobs] of this.#lanes) {
      const running = this.#runningOf(lane)
      if (best === undefined || running < best.running) best = { lane, jobs, running }
    }
    if (best === undefined) return undefined
    const { lane, jobs } = best
    const job = jobs.splice(this.#nextOf(jobs), 1)[0]!
    // The lane moves behind the others, so that lanes with equally many running jobs alternate.
    this.#lanes.delete(lane)
    if (jobs.length > 0) this.#lanes.set(lane, jobs)
    this.#size -= 1
    this.#count(job, 1)
    return job
  }

  /** Removes a waiting job. False when it is not waiting. */
  remove(job: J): boolean {
    const jobs = this.#lanes.get(job.lane)
    const at = jobs?.indexOf(job) ?? -1
    if (jobs === undefined || at < 0) return false
    jobs.splice(at, 1)
    if (jobs.length === 0) this.#lanes.delete(job.lane)
    this.#size -= 1
    return true
  }

  /** Reports that a running job has ended. */
  done(job: J): void {
    this.#count(job, -1)
  }

  /** The weight of a running job: the running jobs of its lane times those of its card. */
  weightOf(job: J): number {
    return this.#runningOf(job.lane) * this.#runningOf(cardKey(job))
  }

  /** Removes and returns all waiting jobs. */
  clear(): J[] {
    const all = [...this.#lanes.values()].flat()
    this.#lanes.clear()
    this.#size = 0
    return all
  }

  #runningOf(key: string): number {
    return this.#running.get(key) ?? 0
  }

  /** The first job of the card with the fewest running. */
  #nextOf(jobs: readonly J[]): number {
    let best = 0
    for (let at = 1; at < jobs.length && this.#runningOf(cardKey(jobs[best]!)) > 0; at += 1)
      if (this.#runningOf(cardKey(jobs[at]!)) < this.#runningOf(cardKey(jobs[best]!))) best = at
    return best
  }

  #count(job: J, change: 1 | -1): void {
    for (const key of [job.lane, cardKey(job)]) {
      const count = this.#runningOf(key) + change
      if (count === 0) this.#running.delete(key)
      else this.#running.set(key, count)
    }
  }
}

// Names of lanes contain no line break.
const cardKey = ({ lane, card }: Owner): string => `${lane}\n${card}`
