// DOMException: errors of the web platform, distinguished by name.
import { define } from './bridge.js'

const names = [
  'IndexSizeError',
  '',
  'HierarchyRequestError',
  'WrongDocumentError',
  'InvalidCharacterError',
  '',
  'NoModificationAllowedError',
  'NotFoundError',
  'NotSupportedError',
  'InUseAttributeError',
  'InvalidStateError',
  'SyntaxError',
  'InvalidModificationError',
  'NamespaceError',
  'InvalidAccessError',
  '',
  'TypeMismatchError',
  'SecurityError',
  'NetworkError',
  'AbortError',
  'URLMismatchError',
  'QuotaExceededError',
  'TimeoutError',
  'InvalidNodeTypeError',
  'DataCloneError',
]
// The constants of the three that are unused have names of their own.
const unused: Record<number, string> = {
  2: 'DOMSTRING_SIZE_ERR',
  6: 'NO_DATA_ALLOWED_ERR',
  16: 'VALIDATION_ERR',
}

declare global {
  interface ErrorConstructor {
    captureStackTrace(target: object): void
  }
}

class DOMException extends Error {
  readonly #message: string
  readonly #name: string
  constructor(message: unknown = '', options: unknown = 'Error') {
    super()
    this.#message = String(message)
    if (typeof options === 'object' && options !== null) {
      const { name = 'Error' } = options as { name?: unknown }
      this.#name = String(name)
      if ('cause' in options) define('cause', options.cause, this, true)
    } else this.#name = String(options)
    delete (this as { message?: string }).message
    Error.captureStackTrace(this)
  }
  override get name(): string {
    return this.#name
  }
  override get message(): string {
    return this.#message
  }
  get code(): number {
    return this.#name === '' ? 0 : names.indexOf(this.#name) + 1
  }
  get [Symbol.toStringTag](): string {
    return 'DOMException'
  }
}

const constantOf = (name: string): string =>
  `${name
    .replace(/Error$/, '')
    .replace(/URL/, 'Url')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toUpperCase()}_ERR`

/** An error of the web platform with this name. */
export const exception = (message: string, name: string): Error => new DOMException(message, name)

/** Installs DOMException. */
export const installDomException = (): void => {
  define('DOMException', DOMException)
  const prototype = DOMException.prototype
  for (const name of ['name', 'message', 'code'])
    Object.defineProperty(prototype, name, {
      ...Object.getOwnPropertyDescriptor(prototype, name),
      enumerable: true,
    })
  names.forEach((name, index) => {
    const constant = { value: index + 1, enumerable: true }
    const known = name === '' ? unused[index + 1]! : constantOf(name)
    for (const target of [DOMException, prototype]) Object.defineProperty(target, known, constant)
  })
}
