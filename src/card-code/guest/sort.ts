// Array.prototype.sort with V8's algorithm (TimSort), step by step: comparators that contradict themselves, such as
// `(a, b) => a > b`, give the same order as in Node. Without a comparator the engine's own sort serves.
import { ask, override } from './bridge.js'
import { describeArguments } from './description.js'

type Compare = (a: unknown, b: unknown) => unknown

interface Runs {
  list: unknown[]
  /** Negative when the first value comes before the second. */
  order: (a: unknown, b: unknown) => number
  starts: number[]
  lengths: number[]
  count: number
  minGallop: number
}

const minGallop = 7

const minRunLength = (length: number): number => {
  let rest = length
  let odd = 0
  for (; rest >= 64; rest >>= 1) odd |= rest & 1
  return rest + odd
}

/** The length of the run that begins at `low`; afterwards it is ascending. */
const countRun = ({ list, order }: Runs, low: number, high: number): number => {
  if (low + 1 === high) return 1
  const descending = order(list[low + 1], list[low]) < 0
  let end = low + 2
  while (end < high && order(list[end], list[end - 1]) < 0 === descending) end += 1
  if (descending)
    for (let a = low, b = end - 1; a < b; a += 1, b -= 1) {
      const held = list[a]
      list[a] = list[b]
      list[b] = held
    }
  return end - low
}

const insertionSort = ({ list, order }: Runs, low: number, from: number, high: number): void => {
  for (let at = from; at < high; at += 1) {
    const pivot = list[at]
    let left = low
    let right = at
    while (left < right) {
      const middle = left + ((right - left) >> 1)
      if (order(pivot, list[middle]) < 0) right = middle
      else left = middle + 1
    }
    for (let i = at; i > left; i -= 1) list[i] = list[i - 1]
    list[left] = pivot
  }
}

/**
 * The position of `key` in a sorted range, found with growing steps from `hint`. `isBefore(i)` tells whether the
 * value at an offset comes before the position; the two kinds of gallop differ only in it.
 */
const gallop = (length: number, hint: number, isBefore: (offset: number) => boolean): number => {
  let last = 0
  let offset = 1
  if (isBefore(hint)) {
    const max = length - hint
    while (offset < max && isBefore(hint + offset)) {
      last = offset
      offset = offset * 2 + 1
    }
    if (offset > max) offset = max
    last += hint
    offset += hint
  } else {
    const max = hint + 1
    while (offset < max && !isBefore(hint - offset)) {
      last = offset
      offset = offset * 2 + 1
    }
    if (offset > max) offset = max
    const nearer = last
    last = hint - offset
    offset = hint - nearer
  }
  last += 1
  while (last < offset) {
    const middle = last + ((offset - last) >> 1)
    if (isBefore(middle)) last = middle + 1
    else offset = middle
  }
  return offset
}

type Place = [list: unknown[], key: unknown, base: number, length: number, hint: number]

const gallopLeft = ({ order }: Runs, ...[list, key, base, length, hint]: Place): number =>
  gallop(length, hint, (offset) => order(list[base + offset], key) < 0)

const gallopRight = ({ order }: Runs, ...[list, key, base, length, hint]: Place): number =>
  gallop(length, hint, (offset) => !(order(key, list[base + offset]) < 0))

const copy = (from: unknown[], at: number, to: unknown[], target: number, length: number): void => {
  if (target < at || from !== to) for (let i = 0; i < length; i += 1) to[target + i] = from[at + i]
  else for (let i = length - 1; i >= 0; i -= 1) to[target + i] = from[at + i]
}

const slice = (list: unknown[], at: number, length: number): unknown[] => {
  const part: unknown[] = []
  copy(list, at, part, 0, length)
  return part
}

/**
 * Takes one value after the other until one run was chosen `least` times in a row: then galloping pays. Returns false
 * when the merge is over.
 */
const takeSingly = (
  least: number,
  isBFirst: () => boolean,
  takeIfB: () => void,
  takeOther: () => void,
  isOver: () => boolean,
): boolean => {
  let wins = 0
  let otherWins = 0
  do {
    if (isBFirst()) {
      takeIfB()
      wins += 1
      otherWins = 0
    } else {
      takeOther()
      otherWins += 1
      wins = 0
    }
    if (isOver()) return false
  } while (wins < least && otherWins < least)
  return true
}

/** Merges two adjacent runs, the first not longer than the second: from the left. */
const mergeLow = (runs: Runs, a: number, aLength: number, b: number, bLength: number): void => {
  const { list, order } = runs
  const held = slice(list, a, aLength)
  let [lengthA, lengthB, to, inA, inB] = [aLength, bLength, a, 0, b]
  const takeA = (): void => {
    list[to] = held[inA]
    to += 1
    inA += 1
    lengthA -= 1
  }
  const takeB = (): void => {
    list[to] = list[inB]
    to += 1
    inB += 1
    lengthB -= 1
  }
  const isOver = (): boolean => lengthB === 0 || lengthA <= 1
  const isBFirst = (): boolean => order(list[inB], held[inA]) < 0
  takeB()
  let least = runs.minGallop
  merging: while (!isOver()) {
    if (!takeSingly(least, isBFirst, takeB, takeA, isOver)) break
    least += 1
    let winsA = 0
    let winsB = 0
    do {
      least = Math.max(1, least - 1)
      runs.minGallop = least
      winsA = gallopRight(runs, held, list[inB], inA, lengthA, 0)
      copy(held, inA, list, to, winsA)
      to += winsA
      inA += winsA
      lengthA -= winsA
      if (winsA > 0 && lengthA <= 1) break merging
      takeB()
      if (lengthB === 0) break merging
      winsB = gallopLeft(runs, list, held[inA], inB, lengthB, 0)
      copy(list, inB, list, to, winsB)
      to += winsB
      inB += winsB
      lengthB -= winsB
      if (lengthB === 0) break merging
      takeA()
      if (lengthA === 1) break merging
    } while (winsA >= minGallop || winsB >= minGallop)
    least += 1
    runs.minGallop = least
  }
  // Either may remain; the rest of the first run comes last.
  copy(list, inB, list, to, lengthB)
  copy(held, inA, list, to + lengthB, lengthA)
}

/** The same from the right, when the second run is shorter. */
const mergeHigh = (runs: Runs, a: number, aLength: number, b: number, bLength: number): void => {
  const { list, order } = runs
  const held = slice(list, b, bLength)
  let [lengthA, lengthB, to, inA, inB] = [aLength, bLength, b + bLength - 1, a + aLength - 1, bLength - 1]
  const takeA = (): void => {
    list[to] = list[inA]
    to -= 1
    inA -= 1
    lengthA -= 1
  }
  const takeB = (): void => {
    list[to] = held[inB]
    to -= 1
    inB -= 1
    lengthB -= 1
  }
  const isOver = (): boolean => lengthA === 0 || lengthB <= 1
  const isBFirst = (): boolean => order(held[inB], list[inA]) < 0
  takeA()
  let least = runs.minGallop
  merging: while (!isOver()) {
    if (!takeSingly(least, isBFirst, takeA, takeB, isOver)) break
    least += 1
    let winsA = 0
    let winsB = 0
    do {
      least = Math.max(1, least - 1)
      runs.minGallop = least
      winsA = lengthA - gallopRight(runs, list, held[inB], a, lengthA, lengthA - 1)
      to -= winsA
      inA -= winsA
      copy(list, inA + 1, list, to + 1, winsA)
      lengthA -= winsA
      if (lengthA === 0) break merging
      takeB()
      if (lengthB === 1) break merging
      winsB = lengthB - gallopLeft(runs, held, list[inA], 0, lengthB, lengthB - 1)
      to -= winsB
      inB -= winsB
      copy(held, inB + 1, list, to + 1, winsB)
      lengthB -= winsB
      if (winsB > 0 && lengthB <= 1) break merging
      takeA()
      if (lengthA === 0) break merging
    } while (winsA >= minGallop || winsB >= minGallop)
    least += 1
    runs.minGallop = least
  }
  to -= lengthA
  copy(list, inA - lengthA + 1, list, to + 1, lengthA)
  copy(held, 0, list, to - lengthB + 1, lengthB)
}

const mergeAt = (runs: Runs, at: number): void => {
  const { list, starts, lengths } = runs
  let a = starts[at]!
  let lengthA = lengths[at]!
  const b = starts[at + 1]!
  const lengthB = lengths[at + 1]!
  lengths[at] = lengthA + lengthB
  if (at === runs.count - 3) {
    starts[at + 1] = starts[at + 2]!
    lengths[at + 1] = lengths[at + 2]!
  }
  runs.count -= 1
  const skipped = gallopRight(runs, list, list[b], a, lengthA, 0)
  a += skipped
  lengthA -= skipped
  if (lengthA === 0) return
  const rest = gallopLeft(runs, list, list[a + lengthA - 1], b, lengthB, lengthB - 1)
  if (rest === 0) return
  if (lengthA <= rest) mergeLow(runs, a, lengthA, b, rest)
  else mergeHigh(runs, a, lengthA, b, rest)
}

const isBalanced = ({ lengths }: Runs, at: number): boolean =>
  at < 2 || lengths[at - 2]! > lengths[at - 1]! + lengths[at]!

const collapse = (runs: Runs, force: boolean): void => {
  const { lengths } = runs
  while (runs.count > 1) {
    let at = runs.count - 2
    if (force || !isBalanced(runs, at + 1) || !isBalanced(runs, at)) {
      if (at > 0 && lengths[at - 1]! < lengths[at + 1]!) at -= 1
    } else if (lengths[at]! > lengths[at + 1]!) return
    mergeAt(runs, at)
  }
}

const sortList = (list: unknown[], compare: Compare): void => {
  const order = (a: unknown, b: unknown): number => +(compare(a, b) as number)
  const runs: Runs = { list, order, starts: [], lengths: [], count: 0, minGallop }
  const least = minRunLength(list.length)
  let low = 0
  while (low < list.length && list.length > 1) {
    const rest = list.length - low
    let length = countRun(runs, low, low + rest)
    if (length < least) {
      const forced = Math.min(least, rest)
      insertionSort(runs, low, low + length, low + forced)
      length = forced
    }
    runs.starts[runs.count] = low
    runs.lengths[runs.count] = length
    runs.count += 1
    collapse(runs, false)
    low += length
  }
  collapse(runs, true)
}

/** Installs `sort` and `toSorted`. */
export const installSort = (): void => {
  const { sort, toSorted } = Array.prototype
  const { apply } = Reflect
  const check = (compare: unknown): void => {
    if (compare !== undefined && typeof compare !== 'function')
      ask('comparator', describeArguments([compare]))
  }
  override(Array.prototype, {
    sort(this: any, compare?: any) {
      check(compare)
      if (compare === undefined) return apply(sort, this, [])
      const target = Object(this)
      const length: number = Math.min(Math.max(Math.trunc(Number(target.length)) || 0, 0), 2 ** 53 - 1)
      const values: unknown[] = []
      let empty = 0
      for (let i = 0; i < length; i += 1) {
        if (!(i in target)) continue
        const value = target[i]
        if (value === undefined) empty += 1
        else values[values.length] = value
      }
      sortList(values, compare)
      const filled = values.length + empty
      for (let i = 0; i < filled; i += 1) target[i] = i < values.length ? values[i] : undefined
      for (let i = filled; i < length; i += 1) delete target[i]
      return target
    },
    toSorted(this: any, compare?: any) {
      check(compare)
      if (compare === undefined) return apply(toSorted, this, [])
      const values: unknown[] = []
      const length = Number(this.length)
      for (let i = 0; i < length; i += 1) values[i] = this[i]
      return values.sort(compare)
    },
  })
}
