import { expect, test } from '@jest/globals'
import { ignoredFlags } from './ignored.js'
import { commandOptions, readArguments } from './options.js'

const ignored = (text: string, isContinued = false): string[] => {
  const line = readArguments(text.split(' ').filter((each) => each !== ''))
  return ignoredFlags(line, commandOptions(line, {}), isContinued)
}

test.each([
  ['', []],
  ['--seed 2 --now 2026-01-01', []],
  ['--state a.json --seed 2', []],
  ['--state a.json --quiet --json', []],
  ['--state-sync always', ['--state-sync is ignored: no --state says which file to write.']],
  [
    '--tls --tls-cert c.pem --tls-key k.pem',
    ['--tls is ignored: --tls-cert and --tls-key name the certificate to serve with.'],
  ],
  ['--no-control --no-page', ['--no-page is ignored: --no-control turns the page off, too.']],
  ['--quiet --verbose', ['--verbose is ignored: --quiet prints no lines.']],
  ['exec --quiet --json -- true', ['--quiet and --json are ignored: exec prints nothing of its own.']],
])('%s names what is ignored', (text, expected) => {
  expect(ignored(text)).toEqual(expected)
})

test('with a state file that has a bank, options of the start have no effect', () => {
  const flags = '--seed 2 --now 2026-01-01 --scenario default --strict --behaviour observed'
  expect(ignored(`--state a.json ${flags}`, true)).toEqual([
    '--seed and --now and --scenario and --strict and --behaviour are ignored: a.json holds a bank that has begun. Another file, or none, begins a new one.',
  ])
})
