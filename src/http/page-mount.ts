// Serves the web page beside the API: who may open it, and where.

import { withoutQuery } from '../protocol/path.js'
import { isPagePath, pageAnswer, type PageFile } from '../page/page.js'
import { hostCheck, type MountedRequest } from './guards.js'
import type { ServingOptions } from './http-options.js'

/** The page as a handler uses it. */
export interface PageMount {
  /** Whether a path (without a query string) is one of the page's. */
  has(path: string): boolean
  /** The file of a path; undefined for other paths. Throws `host-refused` and `origin-refused`. */
  answer(request: MountedRequest): PageFile | undefined
}

/**
 * The page of a server; undefined when it is off, or when the control API is off, without which it has nothing to
 * show.
 */
export function pageMount(options: ServingOptions): PageMount | undefined {
  const { page = true, control = true, isRoot = false } = options
  if (!page || !control) return undefined
  const checkHost = hostCheck(options)
  const has = (path: string): boolean => isPagePath(path) || (isRoot && path === '/')
  return {
    has,
    answer: ({ method, url, headers }) => {
      if (!has(withoutQuery(url!))) return undefined
      checkHost(headers.host)
      return pageAnswer({ method: method!, path: url!, headers })
    },
  }
}
