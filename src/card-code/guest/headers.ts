// Headers in the shape of node-fetch.

const validName = (name: string): string => {
  if (!/^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/.test(name)) {
    throw new TypeError(`Header name must be a valid HTTP token ["${name}"]`)
  }
  return name.toLowerCase()
}

const validValue = (name: string, value: unknown): string => {
  const text = String(value)
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text))
    throw new TypeError(`Invalid character in header content ["${name}"]`)
  return text.trim()
}

export class Headers {
  readonly #held = new Map<string, string[]>()
  constructor(init?: any) {
    if (init === undefined || init === null) return
    if (typeof init !== 'object') {
      throw new TypeError(
        "Failed to construct 'Headers': The provided value is not of type '(sequence<sequence<ByteString>> or record<ByteString, ByteString>)",
      )
    }
    if (init instanceof Headers) for (const [name, value] of init) this.append(name, value)
    else if (typeof init[Symbol.iterator] === 'function')
      for (const [name, value] of init) this.append(name, value)
    else {
      for (const [name, value] of Object.entries(init)) {
        if (Array.isArray(value)) for (const item of value) this.append(name, item)
        else this.append(name, value)
      }
    }
  }
  append(name: unknown, value: unknown): void {
    const key = validName(String(name))
    this.#held.set(key, [...(this.#held.get(key) ?? []), validValue(key, value)])
  }
  set(name: unknown, value: unknown): void {
    const key = validName(String(name))
    this.#held.set(key, [validValue(key, value)])
  }
  delete(name: unknown): void {
    this.#held.delete(validName(String(name)))
  }
  has(name: unknown): boolean {
    return this.#held.has(validName(String(name)))
  }
  get(name: unknown): string | null {
    const key = validName(String(name))
    const values = this.#held.get(key)
    if (values === undefined) return null
    const value = values.join(', ')
    return key === 'content-encoding' ? value.toLowerCase() : value
  }
  getAll(name: unknown): string[] {
    return [...(this.#held.get(validName(String(name))) ?? [])]
  }
  getSetCookie(): string[] {
    return [...(this.#held.get('set-cookie') ?? [])]
  }
  raw(): Record<string, string[]> {
    return Object.fromEntries([...this.keys()].map((name) => [name, this.getAll(name)]))
  }
  forEach(visit: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) visit.call(self, value, name, this)
  }
  *keys(): IterableIterator<string> {
    yield* [...this.#held.keys()].sort()
  }
  *entries(): IterableIterator<[string, string]> {
    for (const name of this.keys()) yield [name, this.get(name)!]
  }
  *values(): IterableIterator<string> {
    for (const name of this.keys()) yield this.get(name)!
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
  toJSON(): Record<string, string> {
    return Object.fromEntries(this.entries())
  }
  get [Symbol.toStringTag](): string {
    return 'Headers'
  }
}
