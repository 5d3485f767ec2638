// The engine's build, named in this one place: QuickJS in WebAssembly. To swap it, change both names; the layout that
// machine.ts asserts at boot says whether the other build keeps its memory in the same way.
import { createRequire } from 'node:module'
import type { QuickJSSyncVariant } from 'quickjs-emscripten-core'
import release from '@jitl/quickjs-wasmfile-release-sync'

// The package's types describe its CommonJS face, where the variant is one level deeper.
export const variant = release as unknown as QuickJSSyncVariant

/** Where the engine's WebAssembly file is. */
export const wasmFile = (): string =>
  createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
