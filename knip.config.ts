import type { KnipConfig } from 'knip'

/** What nothing imports and yet runs, and packages that no import of a source file names. */
const config: KnipConfig = {
  entry: [
    'src/*.ts',
    // Bundled by scripts/prelude.mjs, started as a thread, and bundled by scripts/page.mjs.
    'src/card-code/guest/main.ts',
    'src/card-code/worker/worker.ts',
    'src/page/client/main.tsx',
    'scripts/*.mjs',
    'bench/*.mjs',
    'test/*.mjs',
    'test/*.cjs',
    // Started by a test, or by the workflow of the soak.
    'test/soak/*.mjs',
    'test/vitest/*.mjs',
  ],
  project: ['src/**/*.{ts,tsx}', 'test/**/*.{ts,mjs,cjs}', 'scripts/*.mjs', 'bench/*.mjs'],
  // A command of the system, which gives a test a terminal.
  ignoreBinaries: ['script'],
  ignoreDependencies: [
    // jest.config.ts names it in `@jest-config-loader`.
    'esbuild-register',
    // jest.config.ts puts it in the place of msw when MSW=3 is set.
    'msw3',
    // The guest bundles `buffer/`, which is not the module of Node.
    'buffer',
    // Commands that scripts/check-package.mjs runs.
    '@arethetypeswrong/cli',
    'publint',
    // A peer: loaded by a name in a variable, so that its types are not needed.
    'pg',
    // A peer: whoever imports sandbox-server/vitest has it.
    'vitest',
  ],
}

export default config
