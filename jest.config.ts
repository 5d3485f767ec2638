/** @jest-config-loader esbuild-register */
import type { Config } from 'jest'

// Tests are TypeScript; the code under test is the compiled one that is published (see test/resolve-compiled.cjs).
const config: Config = {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  resolver: '<rootDir>/test/resolve-compiled.cjs',
  transform: { '\\.ts$': '<rootDir>/test/transform.cjs' },
  setupFilesAfterEnv: ['<rootDir>/test/every-answer.ts'],
  // msw 3, which needs Node 22, in place of msw 2: MSW=3 npm run jest -- test/transports
  ...(process.env.MSW === '3' && { moduleNameMapper: { '^msw(/.*)?$': 'msw3$1' } }),
  testTimeout: 30_000,
  maxWorkers: '100%',
}

export default config
