// The public API `sandbox-server/vitest`: exports only.

export * from './testing/vitest.js'
