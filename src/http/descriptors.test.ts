import { expect, test } from '@jest/globals'
import { connectionsBelow, maxConnections } from './descriptors.js'

test.each([
  [64, 32],
  [256, 128],
  [1024, 768],
  [1_048_576, 1_048_320],
])('with %i descriptors there are %i connections', (descriptors, connections) => {
  expect(connectionsBelow(descriptors)).toBe(connections)
})

test('the limit of this process is read if the system shows it', () => {
  const limit = maxConnections()
  if (process.platform === 'linux') expect(limit).toBeGreaterThan(0)
  else expect(limit === undefined || limit > 0).toBe(true)
})
