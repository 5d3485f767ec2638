// The part of WebAssembly that is used here: its types otherwise come only with those of the browser.
declare namespace WebAssembly {
  type Module = object
  class Memory {
    constructor(size: { initial: number; maximum: number })
    readonly buffer: ArrayBuffer
    /** Adds pages and returns the previous number; throws beyond the maximum. */
    grow: (pages: number) => number
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
