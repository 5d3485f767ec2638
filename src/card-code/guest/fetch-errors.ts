// node-fetch's own errors, which are named after their classes.
import { define } from './bridge.js'

export class FetchBaseError extends Error {
  readonly type: string | undefined
  constructor(message: string, type?: string) {
    super(message)
    this.type = type
    Error.captureStackTrace(this)
  }
  get [Symbol.toStringTag](): string {
    return this.constructor.name
  }
}

Object.defineProperty(FetchBaseError.prototype, 'name', {
  configurable: true,
  get(this: object) {
    return this.constructor.name
  },
})

export class FetchError extends FetchBaseError {
  constructor(
    message: string,
    type?: string,
    system?: { code: string | undefined; syscall: string | undefined },
  ) {
    super(message, type)
    if (system === undefined) return
    define('errno', system.code, this, true)
    define('code', system.code, this, true)
    define('erroredSysCall', system.syscall, this, true)
  }
}

export class AbortError extends FetchBaseError {
  constructor(message = 'The operation was aborted.', type = 'aborted') {
    super(message, type)
  }
}
