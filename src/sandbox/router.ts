// Step 1: finds the endpoint for a method and a path, literal segments before parameters. Paths of the service match
// in any letter case and with a trailing slash, as on the real service; paths of the control API match exactly.

import type { Endpoint, Method } from '../endpoint/endpoint.js'
import { isControlPath } from '../protocol/call.js'

interface Route {
  readonly path: string
  readonly segments: readonly string[]
  /** The segments in the form in which they are compared: literal ones folded. */
  readonly folded: readonly string[]
  readonly methods: Map<Method, Endpoint>
}

/** A path that has an endpoint. */
interface Found {
  readonly endpoint: Endpoint
  readonly params: Record<string, string>
  /** The path as the endpoint declares it, with the parameters as sent. */
  readonly canonicalPath: string
}

/** The router's result: the endpoint, or the methods that the path allows, or nothing. */
export type Match = Found | { readonly allow: readonly string[] } | undefined

/** A route that a path fits. */
interface Fit extends Omit<Found, 'endpoint'> {
  readonly route: Route
}

/** The endpoints by path. */
export class Router {
  readonly #service = new RouteTable(true)
  readonly #control = new RouteTable(false)
  /** The path that was last asked for: a server asks whether it exists before it asks for its endpoint. */
  #last: { readonly path: string; readonly fits: readonly Fit[] } = { path: '', fits: [] }

  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints)
      for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) this.#tableOf(path).add(path, endpoint)
  }

  /** `path` without its query and with single slashes. The endpoint of `GET` answers `HEAD`. */
  match(method: string, path: string): Match {
    const verb = (method === 'HEAD' ? 'GET' : method) as Method
    const fits = this.#fits(path)
    for (const { route, params, canonicalPath } of fits) {
      const endpoint = route.methods.get(verb)
      if (endpoint) return { endpoint, params, canonicalPath }
    }
    return fits.length === 0 ? undefined : allowed(fits.flatMap(({ route }) => [...route.methods.keys()]))
  }

  /** Whether there is an endpoint of any method. */
  has(path: string): boolean {
    return this.#fits(path).length > 0
  }

  #fits(path: string): readonly Fit[] {
    if (this.#last.path !== path) this.#last = { path, fits: this.#tableOf(path).find(path) }
    return this.#last.fits
  }

  #tableOf(path: string): RouteTable {
    return isControlPath(path) ? this.#control : this.#service
  }
}

class RouteTable {
  readonly #literal = new Map<string, Fit>()
  readonly #byLength = new Map<number, Route[]>()
  readonly #isLenient: boolean

  /** @param isLenient whether letter case and a trailing slash are ignored */
  constructor(isLenient: boolean) {
    this.#isLenient = isLenient
  }

  add(path: string, endpoint: Endpoint): void {
    const isLiteral = !path.includes('{')
    const segments = path.split('/')
    const rivals = this.#byLength.get(segments.length) ?? []
    let route = isLiteral
      ? this.#literal.get(this.#fold(path))?.route
      : rivals.find((rival) => rival.path === path)
    if (!route) {
      const folded = segments.map((segment) => (segment.startsWith('{') ? segment : this.#fold(segment)))
      route = { path, segments, folded, methods: new Map() }
      if (isLiteral) this.#literal.set(this.#fold(path), { route, params: {}, canonicalPath: path })
      else this.#byLength.set(segments.length, [...rivals, route].sort(literalFirst))
    }
    route.methods.set(endpoint.method, endpoint)
  }

  find(path: string): readonly Fit[] {
    const trimmed = this.#isLenient ? withoutLastSlash(path) : path
    const folded = this.#literal.has(trimmed) ? trimmed : this.#fold(trimmed)
    // `/za/v1/cards/countries` is not a card: when the literal path exists, only its methods count.
    const literal = this.#literal.get(folded)
    if (literal) return [literal]
    const segments = trimmed.split('/')
    const foldedSegments = folded === trimmed ? segments : folded.split('/')
    const fits: Fit[] = []
    for (const route of this.#byLength.get(segments.length) ?? []) {
      const params = fit(route, segments, foldedSegments)
      if (params) fits.push({ route, params, canonicalPath: canonical(route, segments) })
    }
    return fits
  }

  #fold(text: string): string {
    return this.#isLenient ? text.toLowerCase() : text
  }
}

function fit(
  { folded: template }: Route,
  segments: readonly string[],
  folded: readonly string[],
): Record<string, string> | undefined {
  for (let index = 0; index < template.length; index++)
    if (template[index] !== folded[index] && !template[index]!.startsWith('{')) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of template.entries()) {
    if (!part.startsWith('{')) continue
    const value = decode(segments[index]!)
    if (value === undefined || value === '') return undefined
    params[part.slice(1, -1)] = value
  }
  return params
}

const withoutLastSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path

function allowed(methods: Iterable<Method>): { allow: string[] } {
  const allow = new Set<string>(methods)
  if (allow.has('GET')) allow.add('HEAD')
  return { allow: [...allow].sort() }
}

/** The path with the literal segments as the route declares them. */
const canonical = ({ segments: template }: Route, segments: readonly string[]): string =>
  template.map((part, index) => (part.startsWith('{') ? segments[index]! : part)).join('/')

/** Templates with earlier literal segments win: `cards/countries` before `cards/{cardkey}`. */
function literalFirst(a: Route, b: Route): number {
  for (const [index, segment] of a.segments.entries()) {
    const difference = Number(segment.startsWith('{')) - Number(b.segments[index]!.startsWith('{'))
    if (difference !== 0) return difference
  }
  return 0
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
