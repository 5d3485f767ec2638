// The one way out of the box. `host` is a plain function that the worker hands over; it stays in this closure and
// never becomes a global, and everything that crosses is a string of JSON or the bytes of an ArrayBuffer.

/** What the worker hands to the prelude: an operation's name, its JSON, and bytes where the operation takes some. */
export type Host = (operation: string, json: string, bytes?: ArrayBuffer) => unknown

const { parse, stringify } = JSON
const natives: Record<string, ErrorConstructor> = {
  Error,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
}

let host: Host = () => undefined

/** Connects the prelude to its host: called once, before any card code runs. */
export const connect = (given: Host): void => {
  host = given
}

/** Tells the host something that has no answer. */
export const tell = (operation: string, data: unknown, bytes?: ArrayBuffer): void => {
  host(operation, stringify(data), bytes)
}

/** Asks the host; what it refuses is thrown here as an error of this world. */
export const ask = (operation: string, data: unknown, bytes?: ArrayBuffer): any => {
  const answer = parse(host(operation, stringify(data), bytes) as string)
  if (answer.error === undefined) return answer.value
  const { name, message } = answer.error
  const error = new (natives[name] ?? Error)(message)
  if (natives[name] === undefined) define('name', name, error)
  if (answer.error.code !== undefined) (error as any).code = answer.error.code
  throw error
}

/** Asks for bytes. */
export const askBytes = (operation: string, data: unknown): ArrayBuffer =>
  host(operation, stringify(data)) as ArrayBuffer

/** Asks for a number. */
export const askNumber = (operation: string): number => host(operation, 'null') as number

/** Defines a global as the platform does: writable, configurable, not enumerable. */
export const define = (name: string, value: unknown, target: object = globalThis): void => {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false })
}

/** Replaces methods of a prototype; the new ones keep the name and length of what they stand for. */
export const override = (target: object, methods: Record<string, (...args: any[]) => unknown>): void => {
  for (const [name, method] of Object.entries(methods)) {
    const before = (target as any)[name] as { length: number } | undefined
    if (before !== undefined)
      Object.defineProperty(method, 'length', { value: before.length, configurable: true })
    define(name, method, target)
  }
}
