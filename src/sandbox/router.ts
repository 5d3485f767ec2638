// Finds the endpoint for a method and a path: literal segments before parameters, doubled slashes folded.

import type { Endpoint, Method } from '../endpoint/endpoint.js'

interface Route {
  readonly segments: readonly string[]
  readonly methods: Map<Method, Endpoint>
}

/** What the router found: the endpoint, or the methods that the path takes instead, or nothing. */
export type Match =
  | { readonly endpoint: Endpoint; readonly params: Record<string, string> }
  | { readonly allow: readonly string[] }
  | undefined

/** The endpoints by path. */
export class Router {
  readonly #literal = new Map<string, Route>()
  readonly #byLength = new Map<number, Route[]>()

  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) {
      this.#add(endpoint.path, endpoint)
      for (const path of endpoint.aliases ?? []) this.#add(path, endpoint)
    }
    for (const routes of this.#byLength.values()) routes.sort(literalFirst)
  }

  #add(path: string, endpoint: Endpoint): void {
    const segments = path.split('/')
    let route = path.includes('{') ? undefined : this.#literal.get(path)
    const rivals = this.#byLength.get(segments.length) ?? []
    route ??= rivals.find((rival) => rival.segments.join('/') === path)
    if (!route) {
      route = { segments, methods: new Map() }
      if (path.includes('{')) this.#byLength.set(segments.length, [...rivals, route])
      else this.#literal.set(path, route)
    }
    route.methods.set(endpoint.method, endpoint)
  }

  /** `HEAD` is answered by the endpoint of `GET`. */
  match(method: string, path: string): Match {
    const verb = (method === 'HEAD' ? 'GET' : method) as Method
    const folded = path.includes('//') ? path.replace(/\/{2,}/g, '/') : path
    const literal = this.#literal.get(folded)
    const endpoint = literal?.methods.get(verb)
    if (endpoint) return { endpoint, params: {} }
    const segments = folded.split('/')
    const allow = new Set(literal?.methods.keys())
    for (const route of this.#byLength.get(segments.length) ?? []) {
      const params = fit(route.segments, segments)
      if (!params) continue
      const endpoint = route.methods.get(verb)
      // `/za/v1/cards/countries` is no card: where the literal path exists, its methods are all there are.
      if (endpoint && !literal) return { endpoint, params }
      if (!literal) for (const each of route.methods.keys()) allow.add(each)
    }
    if (allow.size === 0) return undefined
    if (allow.has('GET')) allow.add('HEAD' as Method)
    return { allow: [...allow].sort() }
  }
}

/** Templates whose literal segments come earlier win: `cards/countries` before `cards/{cardkey}`. */
function literalFirst(a: Route, b: Route): number {
  for (const [index, segment] of a.segments.entries()) {
    const difference = Number(segment.startsWith('{')) - Number(b.segments[index]!.startsWith('{'))
    if (difference !== 0) return difference
  }
  return 0
}

function fit(template: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [index, part] of template.entries()) {
    const segment = segments[index]!
    if (part.startsWith('{')) {
      const value = decode(segment)
      if (value === undefined || value === '') return undefined
      params[part.slice(1, -1)] = value
    } else if (part !== segment) return undefined
  }
  return params
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
