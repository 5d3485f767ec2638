// Who may call a server: hosts, web pages, and programs of this machine for the control API. A web page that a
// developer visits must not be able to use the sandbox, whose credentials are public.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { timingSafeEqualText } from '../bank/credentials.js'
import { parseAuthorization } from '../protocol/authorization.js'
import { isControlPath } from '../protocol/call.js'
import { Problem } from '../protocol/problem.js'
import type { HttpOptions, ServingOptions } from './http-options.js'

/** Express adds to a request: the protocol that a trusted proxy names, and the path at which a handler is mounted. */
export interface MountedRequest extends IncomingMessage {
  readonly protocol?: string
  readonly baseUrl?: string
}

/** Scheme and host of the server as the caller sees them. */
export const ownOrigin = (request: MountedRequest): string => {
  const { protocol, socket, headers } = request
  const scheme = protocol ?? ('encrypted' in socket ? 'https' : 'http')
  return `${scheme}://${headers.host ?? ''}`
}

/** Refuses a request that is not allowed; true when its answer needs CORS headers. */
export type Guard = (request: MountedRequest) => boolean

/** The checks of every request. Throws `host-refused`, `origin-refused`, `control-refused` or `no-such-endpoint`. */
export function guardOf(options: ServingOptions): Guard {
  const checkHost = hostCheck(options)
  const origins = new Set(options.cors ?? [])
  return (request) => {
    const { headers, method, url } = request
    checkHost(headers.host)
    const isControl = isControlPath(url!)
    const isPage = checkOrigin(request, origins, isControl)
    // A preflight request cannot carry a token; its answer only has CORS headers.
    if (isControl && method !== 'OPTIONS') checkControl(request, options)
    return isPage
  }
}

/** A name that resolves to another address (DNS rebinding) makes a browser believe that it talks to that site. */
export function hostCheck({ allowHosts = [] }: HttpOptions): (host: string | undefined) => void {
  const allowed = new Set(allowHosts.map((host) => host.toLowerCase()))
  const known = new Set<string>()
  return (host) => {
    if (host !== undefined && known.has(host)) return
    const name = hostName(host)
    if (name === undefined || !(isLoopback(name) || allowed.has(name))) {
      const detail =
        name === undefined
          ? 'Address the sandbox as localhost or 127.0.0.1, or start it with --allow-host NAME.'
          : `Address the sandbox as localhost or 127.0.0.1, or start it with --allow-host ${name.slice(0, 200)}.`
      throw new Problem('host-refused', detail)
    }
    if (known.size < 100) known.add(host!)
  }
}

/** The name in a Host header, without port and brackets; undefined when it is invalid. */
function hostName(host: string | undefined): string | undefined {
  if (host === undefined || !/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host)) return undefined
  return host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
}

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)

/** Whether a server on this host accepts only connections from this machine. */
export const isLoopbackHost = (host: string): boolean =>
  isLoopback(host.toLowerCase().replace(/^::ffff:/, ''))

/** Refuses web pages that may not call, before they change anything; true when the answer needs CORS headers. */
function checkOrigin(request: MountedRequest, listed: ReadonlySet<string>, isControl: boolean): boolean {
  const { origin } = request.headers
  if (origin === undefined && request.headers['sec-fetch-site'] === undefined) return false
  if (!mayCall(request, listed, isControl)) {
    const name = (origin ?? 'another site').slice(0, 200)
    // An opaque origin (`null`) cannot be listed.
    const flag = /^https?:\/\/[\w.:[\]-]+$/.test(name) ? `--cors ${name}` : '--cors'
    const how = isControl ? `list it by name with ${flag} for the control API` : `allow it with ${flag}`
    throw new Problem('origin-refused', `A web page of ${name} may not call the sandbox; ${how}.`)
  }
  return origin !== undefined && origin !== ownOrigin(request)
}

function mayCall(request: MountedRequest, listed: ReadonlySet<string>, isControl: boolean): boolean {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  // Without an Origin a browser says where a request comes from: typed by the user, from the same origin, or neither.
  if (origin === undefined)
    return (
      site === 'same-origin' ||
      (isControl
        ? site === 'none' && isReading(request)
        : site === 'none' || site !== 'cross-site' || listed.has('*'))
    )
  if (origin === ownOrigin(request) || listed.has(origin)) return true
  if (isControl) return false
  return listed.has('*') || isLoopbackOrigin(origin)
}

const isReading = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

function isLoopbackOrigin(origin: string): boolean {
  const match = /^https?:\/\/([^/]+)$/.exec(origin)
  const name = match ? hostName(match[1]) : undefined
  return name !== undefined && isLoopback(name)
}

/** The control API is for programs on this machine; from elsewhere it requires the token of `--control-token`. */
function checkControl(
  request: MountedRequest,
  { control = true, controlToken, front }: ServingOptions,
): void {
  if (!control)
    throw new Problem('no-such-endpoint', 'The control API is off; start without --no-control to use it.')
  if (front) return
  const foreign = foreignSign(request)
  if (foreign === undefined) return
  if (controlToken === undefined)
    throw new Problem('control-refused', `${foreign}; start with --control-token to open it to others.`)
  const { token: given } = parseAuthorization(request.headers.authorization)
  if (given === undefined || !timingSafeEqualText(controlToken, given)) throw controlTokenNeeded()
}

/** The refusal of a caller without the control token. */
export const controlTokenNeeded = (): Problem =>
  new Problem('control-refused', 'Send Authorization: Bearer with the control token.', {
    headers: { 'www-authenticate': 'Bearer realm="control"' },
  })

/** Headers that a proxy adds: its clients may be on another machine, whatever address the proxy has. */
const proxyHeader = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/

/** Why a caller may not be on this machine: its address, the name that it uses, or a proxy in between. */
export function foreignSign({ socket, headers }: MountedRequest): string | undefined {
  const address = socket.remoteAddress?.replace(/^::ffff:/i, '')
  const name = hostName(headers.host)
  if (address === undefined || name === undefined || !isLoopback(address) || !isLoopback(name))
    return 'The control API is open to loopback addresses only'
  const proxied = Object.keys(headers).find((each) => proxyHeader.test(each))
  return proxied === undefined
    ? undefined
    : `The request came through a proxy (header ${proxied}), and the control API is open to this machine only`
}

const exposed = { 'access-control-expose-headers': 'retry-after,sandbox-problem,www-authenticate' }

/**
 * Sets the CORS headers of an answer to a page; true when the request was a preflight request, which is then
 * answered.
 */
export function answerPage({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('access-control-allow-origin', headers.origin!)
  if (method !== 'OPTIONS') {
    response.setHeader('vary', 'Origin')
    response.setHeader('access-control-expose-headers', exposed['access-control-expose-headers'])
    return false
  }
  const asked = headers['access-control-request-headers']
  response.writeHead(204, {
    vary: 'Origin, Access-Control-Request-Headers',
    'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
    ...(asked !== undefined && { 'access-control-allow-headers': asked }),
    'access-control-max-age': '600',
    ...exposed,
    'content-length': '0',
  })
  response.end()
  return true
}
