// "Did you mean …?" for paths that no endpoint has. A path is compared segment by segment with the paths of all endpoints.

import { isControlPath } from '../protocol/call.js'
import { allNearest } from '../protocol/nearest.js'
import { excerpt } from '../protocol/quote.js'
import { shownAddress } from '../protocol/redaction.js'
import { endpoints } from './endpoints.js'

/** Longer paths and segments are not compared, so that the cost of a refusal stays small. */
const maxSegments = 12
const maxSegment = 40

/** What it costs to change a segment of the path: dropping what the client wrote is the least likely. Beyond {@link maxCost} the paths have nothing in common. */
const costs = { misspelt: 0.5, missingAtStart: 0.25, missing: 1, tooMany: 1.55 } as const
const maxCost = 1.6

/**
 * The endpoint's path that is nearest to a path, with its parameters in braces; undefined when none is near.
 *
 * @param path without its query
 * @param known paths of endpoints, such as `/za/v1/cards/{cardkey}/code`
 */
export function suggestion(path: string, known: readonly string[]): string | undefined {
  const given = segmentsOf(path).map((segment) => segment.toLowerCase())
  if (given.length === 0 || given.length > maxSegments) return undefined
  const templates = known.map((each) => ({ path: each, segments: segmentsOf(each) }))
  const words = [
    ...new Set(templates.flatMap(({ segments }) => segments.filter((each) => !isParameter(each)))),
  ]
  // Each segment is compared with each word once, not once for each path.
  const meant = given.map((segment) => (segment.length > maxSegment ? [] : allNearest(segment, words)))
  let best: string | undefined
  let least = maxCost
  for (const { path: candidate, segments } of templates) {
    const cost = distance(given, meant, segments)
    if (cost < least) [best, least] = [candidate, cost]
  }
  return best
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

const isParameter = (segment: string): boolean => segment.startsWith('{')

/** What it costs to make the path of the template: an edit distance over segments. */
function distance(given: readonly string[], meant: readonly string[][], template: readonly string[]): number {
  // The word that says what is asked for must be there; a parameter fits anything.
  const word = template.findLast((segment) => !isParameter(segment))!
  if (!given.some((segment, index) => segment === word || meant[index]!.includes(word))) return Infinity
  let row = template.reduce<number[]>((sums) => [...sums, sums.at(-1)! + costs.missingAtStart], [0])
  for (const [i, segment] of given.entries()) {
    const next = [row[0]! + costs.tooMany]
    for (const [j, wanted] of template.entries())
      next.push(
        Math.min(
          row[j]! + change(segment, meant[i]!, wanted),
          row[j + 1]! + costs.tooMany,
          next[j]! + costs.missing,
        ),
      )
    row = next
  }
  return row.at(-1)!
}

function change(segment: string, meant: readonly string[], wanted: string): number {
  if (isParameter(wanted) || segment === wanted) return 0
  return meant.includes(wanted) ? costs.misspelt : Infinity
}

const pathsOf = (isControl: boolean): string[] =>
  endpoints.map(({ path }) => path).filter((path) => isControlPath(path) === isControl)
const servicePaths = pathsOf(false)
const controlPaths = pathsOf(true)

/** Why a path is not found, and where to go instead. */
export function nothingAt(path: string): string {
  if (path === '/')
    return 'This is sandbox-server, a bank that runs on your machine: GET /_sandbox says where everything is, and shows a page in a browser.'
  const meant = suggestion(path, isControlPath(path) ? controlPaths : servicePaths)
  const hint = meant === undefined ? 'GET /_sandbox/openapi.json lists every path' : `did you mean ${meant}?`
  return `Nothing is at ${excerpt(shownAddress(path))}; ${hint.replace(/[^?]$/, '$&.')}`
}
