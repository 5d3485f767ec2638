// The engine's build: QuickJS in WebAssembly. To swap it, change the name here and in wasm-file.ts; the layout that
// machine.ts asserts at boot says whether the other build keeps its memory in the same way.
import type { QuickJSSyncVariant } from 'quickjs-emscripten-core'
import release from '@jitl/quickjs-wasmfile-release-sync'

// The package's types describe its CommonJS face, where the variant is one level deeper.
export const variant = release as unknown as QuickJSSyncVariant
