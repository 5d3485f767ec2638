// How many connections a server may hold, so that the process never runs out of file descriptors: without one it can
// neither load a module nor open a file.

import { readFileSync } from 'node:fs'

/** Descriptors kept for everything but connections: files, threads, calls of card code. */
const maxReserved = 256

/** The number of connections for a limit of descriptors: at least half of them, all but 256 where there are many. */
export const connectionsBelow = (descriptors: number): number =>
  Math.max(1, descriptors - Math.min(maxReserved, Math.ceil(descriptors / 2)))

/** The most connections that this process should hold; undefined where the system does not say (only Linux does here). */
export function maxConnections(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
    return soft === undefined ? undefined : connectionsBelow(Number(soft))
  } catch {
    return undefined
  }
}
