// The headers that a fault or a stub sends.

import { pointerTo } from '../protocol/json-pointer.js'
import type { InputError } from '../protocol/problem.js'

/** All errors in headers. `at` is the pointer to them. */
export function headerErrors(headers: Readonly<Record<string, string>> = {}, at: string): InputError[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const path = pointerTo(at, name)
    return [
      ...(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)
        ? []
        : [{ path, message: 'is not a valid header name' }]),
      ...(/^[\t\x20-\x7e\x80-\xff]*$/.test(value)
        ? []
        : [{ path, message: 'contains characters that are not allowed in a header' }]),
    ]
  })
}
