// The files of the web page as a server sends them: a shell without data, and its scripts and styles. They are built
// into dist/page/client and read when the page is first opened.

import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { withoutQuery } from '../protocol/path.js'
import { Problem } from '../protocol/problem.js'

/** A file of the page, ready to send. */
export interface PageFile {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

const folder = new URL('client/', import.meta.url)

/** Only the page's own files may load; foreign text is never markup or script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const security = {
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
}

interface Loaded {
  readonly type: string
  readonly plain: Uint8Array
  readonly gzip: Uint8Array
}

const loaded = new Map<string, Loaded | undefined>()

/** A file of the build by its name; undefined when there is none. Read and compressed once. */
function load(name: string): Loaded | undefined {
  if (loaded.has(name)) return loaded.get(name)
  const [, kind] = /^[\w-]+\.(html|js|css|svg|txt)$/.exec(name) ?? []
  const url = new URL(name, folder)
  if (kind === undefined || !existsSync(url)) return undefined
  const plain = readFileSync(url)
  const file = { type: contentTypes[kind]!, plain, gzip: gzipSync(plain) }
  loaded.set(name, file)
  return file
}

/** What a server knows about a request for a file of the page. */
export interface PageRequest {
  readonly method: string
  /** The path below the one at which the bank is mounted, with its query string. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

const shellPath = '/_sandbox/'
const filesPath = '/_sandbox/page/'

/** Whether a path belongs to the page, so that a server inside an application answers it. */
export const isPagePath = (path: string): boolean =>
  path === shellPath || path === '/_sandbox' || path.startsWith(filesPath)

/**
 * The answer to a request for a file of the page; undefined for other requests. The shell contains no data: only it
 * may be opened from another site, and only as a page of its own. Throws `origin-refused`.
 */
export function pageAnswer({ method, path, headers }: PageRequest): PageFile | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  // The guards of the control API refuse requests of another site's scripts.
  const { origin, host } = headers
  if (origin !== undefined && ![`http://${String(host)}`, `https://${String(host)}`].includes(String(origin)))
    return undefined
  const plain = withoutQuery(path)
  if (plain === '/' || plain === '/_sandbox') return wantsPage(headers) ? redirect('_sandbox/') : undefined
  const accepted = String(headers['accept-encoding'] ?? '')
  const isShell = plain === shellPath
  // Programs get the guide of the control API at this path.
  if (isShell && !wantsPage(headers)) return undefined
  if (!isShell && !plain.startsWith(filesPath)) return undefined
  if (!isOwn(headers) && !(isShell && headers['sec-fetch-dest'] === 'document')) throw refused()
  return fileAt(isShell ? 'index.html' : plain.slice(filesPath.length), isShell, accepted)
}

/** A person opens an address in a browser; a program that takes anything is not meant. */
const wantsPage = (headers: PageRequest['headers']): boolean =>
  String(headers.accept ?? '').includes('text/html') || headers['sec-fetch-dest'] !== undefined

/** Requested by the page itself, by a person, or by a program. */
const isOwn = (headers: PageRequest['headers']): boolean =>
  ['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined) &&
  !['iframe', 'frame', 'embed', 'object'].includes(String(headers['sec-fetch-dest']))

const redirect = (location: string): PageFile => ({
  status: 302,
  headers: { ...security, location, 'cache-control': 'no-store' },
  body: new Uint8Array(),
})

const refused = (): Problem =>
  new Problem(
    'origin-refused',
    'The page of the sandbox opens in a tab of its own, not in the page of another site.',
  )

function fileAt(name: string, isShell: boolean, accepted: string): PageFile | undefined {
  const file = load(name)
  if (!file) return undefined
  const isPacked = /\bgzip\b/.test(accepted)
  return {
    status: 200,
    headers: {
      ...security,
      'content-type': file.type,
      // Names of files contain a hash of their content; the shell names them.
      'cache-control': isShell ? 'no-store' : 'private, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(isPacked && { 'content-encoding': 'gzip' }),
    },
    body: isPacked ? file.gzip : file.plain,
  }
}
