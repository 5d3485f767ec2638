// Apart from variant.ts, so that the main thread, which only reads the file, does not load the engine.
import { createRequire } from 'node:module'

/** Where the engine's WebAssembly file is. */
export const wasmFile = (): string =>
  createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
