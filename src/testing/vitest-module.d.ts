// The part of Vitest that testing/vitest.ts needs. Vitest is not installed here, because it requires a newer Node
// than the package.
declare module 'vitest' {
  export const expect: { extend(matchers: object): void }
  export function describe(name: string, define: () => void): void
  export function test(name: string, run: () => Promise<void>): void
  export function beforeAll(run: () => Promise<void>): void
  export function afterEach(run: () => Promise<void>): void
  export function afterAll(run: () => Promise<void>): void
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the parameter that Vitest declares
  export interface Matchers<T = any> {
    readonly matched: T
  }
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the parameter that Vitest declares
  export interface Assertion<T = any> {
    readonly value: T
  }
}
