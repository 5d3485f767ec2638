// Calls of the control API, typed by its declarations. The page calls nothing else: the service's own endpoints would
// fill the journal, need tokens and be hit by faults.

import { signal } from '@preact/signals'
import type { ControlEndpoint } from '../../control/index.js'
import { fillPath } from '../../protocol/path.js'
import { route } from './route.js'

type Method = ControlEndpoint['method']
type PathOf<M extends Method> = Extract<ControlEndpoint, { method: M }>['path']
type TypesOf<M extends Method, P extends string> = NonNullable<
  Extract<ControlEndpoint, { method: M; path: P }>['types']
>
export type Answer<M extends Method, P extends string> = TypesOf<M, P>['answer']
export type Body<M extends Method, P extends string> = TypesOf<M, P>['body']

interface Question<M extends Method, P extends string> {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Body<M, P>
}

/** The path at which the bank is mounted: '' for a server of its own. */
export const base = location.pathname.replace(/\/_sandbox\/.*$/, '')
/** The address of the bank, without a trailing slash. */
export const origin = location.origin + base

const tokenKey = 'sandbox-server control token'
const tokens = new BroadcastChannel(`sandbox-server token ${base}`)

/** True while the server requires a control token that this tab lacks. */
export const needsToken = signal(false)
/** Increases when refused calls are repeated: a token was entered, or the workspace may exist now. */
export const round = signal(0)
/** The workspace of the route when the server has none of this name. */
export const missing = signal('')

/** Asks again for a workspace that was missing. */
export function askAgain(): void {
  missing.value = ''
  round.value++
}

const storedToken = (): string | null => sessionStorage.getItem(tokenKey)

/** Stores the token for this session, here and in the other tabs. */
export function useToken(token: string): void {
  takeToken(token)
  tokens.postMessage({ token })
}

function takeToken(token: string): void {
  sessionStorage.setItem(tokenKey, token)
  // In this order, so that the stream of events is asked for once.
  round.value++
  needsToken.value = false
}

/** Takes the token of `#token=` and removes it from the address, and asks the other tabs for theirs. */
export function startTokens(): void {
  tokens.onmessage = ({ data }: MessageEvent<{ token?: string; ask?: true }>) => {
    const own = storedToken()
    // A tab whose token is valid keeps it.
    if (data.token !== undefined && (own === null || needsToken.value)) takeToken(data.token)
    else if (data.ask && own !== null) tokens.postMessage({ token: own })
  }
  const [, token] = /^#token=([\x21-\x7e]+)$/.exec(location.hash) ?? []
  if (token !== undefined) {
    history.replaceState(null, '', location.pathname)
    useToken(decodeURIComponent(token))
  } else if (storedToken() === null) tokens.postMessage({ ask: true })
}

const authorization = (): Record<string, string> => {
  const token = storedToken()
  return token === null ? {} : { authorization: `Bearer ${token}` }
}

/** A call below `/_sandbox/`, in the workspace of the route. Rejects with what was wrong for every refusal. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(`.${path.slice('/_sandbox'.length)}`, `${origin}/_sandbox/`)
  if (!url.searchParams.has('workspace')) url.searchParams.set('workspace', route.value.workspace)
  const headers = { ...authorization(), ...(init.headers as Record<string, string> | undefined) }
  const response = await fetch(url, { ...init, headers, credentials: 'omit', cache: 'no-store' })
  if (response.ok) return response
  if (response.status === 401 && response.headers.has('www-authenticate')) needsToken.value = true
  const {
    detail,
    type,
    errors = [],
  } = (await response.json()) as {
    detail: string
    type: string
    errors?: { path: string; message: string }[]
  }
  const code = type.replace(/^.*:/, '')
  if (code === 'unknown-workspace' && (init.method ?? 'GET') === 'GET')
    missing.value = url.searchParams.get('workspace')!
  const faults = errors.map((each) => `${each.path} ${each.message}`).join('; ')
  throw new Error(faults || detail)
}

/** Asks one endpoint of the control API. */
export async function ask<M extends Method, P extends PathOf<M>>(
  method: M,
  template: P,
  question: Question<M, P> = {},
): Promise<Answer<M, P>> {
  const { params, query, body } = question
  const init = {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  }
  return (await (await send(fillPath(template, params, query), init)).json()) as Answer<M, P>
}
