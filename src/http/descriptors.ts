// How many connections a server may hold, so that the process never runs out of file descriptors: without one it can
// neither load a module nor open a file.

import { readFileSync } from 'node:fs'

/** Descriptors reserved for everything else: files, threads, calls of card code. */
const maxReserved = 256

/** The number of connections for a limit of descriptors: at least half of them; all but 256 when there are many. */
export const connectionsBelow = (descriptors: number): number =>
  Math.max(1, descriptors - Math.min(maxReserved, Math.ceil(descriptors / 2)))

/** The most connections for this process; undefined when the system has no such limit (only Linux does here). */
export function maxConnections(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
    return soft === undefined ? undefined : connectionsBelow(Number(soft))
  } catch {
    return undefined
  }
}
