// Postgres for tests of the store: a schema of its own for each test, dropped afterwards. Without Postgres these tests are
// skipped, but never in CI on Linux.

import { randomBytes } from 'node:crypto'
import { afterAll, describe, test } from '@jest/globals'
import { Postgres } from '../src/team/postgres.js'

const base = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const opened: Postgres[] = []

async function isReachable(): Promise<boolean> {
  try {
    const postgres = await Postgres.open(base)
    await postgres.run('select 1')
    await postgres.close()
    return true
  } catch (error) {
    // Where CI has a Postgres; its machines with Windows and macOS have none.
    if (process.env.CI && process.platform === 'linux') throw error
    process.stderr.write(`Tests of the store are skipped: ${(error as Error).message}\n`)
    return false
  }
}

/** `describe` where there is a Postgres. */
export const describeStore = (await isReachable()) ? describe : describe.skip

/** The address of a fresh schema. */
export async function freshStore(): Promise<string> {
  const address = `${base}?schema=t_${randomBytes(6).toString('hex')}&connections=4`
  opened.push(await Postgres.open(address))
  return address
}

afterAll(async () => {
  for (const postgres of opened.splice(0)) {
    await postgres.run('drop schema if exists $schema cascade')
    await postgres.close()
  }
})

export { test }
