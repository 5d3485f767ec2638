// The public API `sandbox-server/jest`: exports only.

export * from './testing/jest.js'
