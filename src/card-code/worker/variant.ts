// The engine's build: QuickJS in WebAssembly. To swap it, change the name here and in scripts/prelude.mjs; the build
// checks that the other one has the memory layout that the image needs.
import type { QuickJSSyncVariant } from 'quickjs-emscripten-core'
import release from '@jitl/quickjs-wasmfile-release-sync'

// The package's types describe its CommonJS form, where the variant is nested one level deeper.
export const variant = release as unknown as QuickJSSyncVariant
