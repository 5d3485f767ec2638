// The files of deploy/ name flags and probes that exist.

import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { optionTable, type OptionRow } from '../src/node-api/options.js'

const read = (name: string): string => readFileSync(`deploy/${name}`, 'utf8')
const variables = new Set(
  (Object.values(optionTable) as OptionRow[]).map(
    ({ flag = '' }) => `SANDBOX_${flag.toUpperCase().replaceAll('-', '_')}`,
  ),
)

test('the variables that deploy/ sets are those of flags', () => {
  for (const name of ['compose.yaml', 'kubernetes.yaml', 'Dockerfile']) {
    const named = read(name).match(/SANDBOX_[A-Z_]+/g) ?? []
    expect(named.length).toBeGreaterThan(1)
    expect(named.filter((each) => !variables.has(each))).toEqual([])
  }
})

test('replicas are probed where they answer, and get the time that they need to leave', () => {
  const [deployment, service, budget] = parseAllDocuments(read('kubernetes.yaml')).map(
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the test says what is in it
    (document) => document.toJS() as Record<string, any>,
  )
  const { containers, terminationGracePeriodSeconds } = deployment!.spec.template.spec
  expect(containers[0].readinessProbe.httpGet.path).toBe('/readyz')
  expect(containers[0].livenessProbe.httpGet.path).toBe('/livez')
  expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20)
  expect(service!.spec.selector).toEqual(deployment!.spec.selector.matchLabels)
  expect(budget!.spec.selector.matchLabels).toEqual(service!.spec.selector)
  const { services } = parse(read('compose.yaml'))
  expect(services.replica.deploy.replicas).toBe(3)
  expect(services.replica.stop_grace_period).toBe('25s')
})
