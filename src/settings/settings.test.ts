import { expect, test } from '@jest/globals'
import { createSandbox } from '../index.js'

test('strict and behaviour have defaults, can be changed, and are restored by a reset', async () => {
  await using sandbox = await createSandbox({ now: '2026-03-25' })
  expect(await sandbox.settings.get()).toMatchObject({ strict: false, behaviour: 'documented' })
  await sandbox.settings.change({ strict: true, behaviour: 'observed' })
  expect(await sandbox.settings.get()).toMatchObject({ strict: true, behaviour: 'observed', pageSize: 0 })
  await sandbox.reset()
  expect(await sandbox.settings.get()).toMatchObject({ strict: false, behaviour: 'documented' })
})

test('a scenario sets strict and behaviour', async () => {
  const scenario = {
    name: 'live',
    description: 'As the live service.',
    settings: { strict: true, behaviour: 'observed' },
  } as const
  await using sandbox = await createSandbox({ scenario })
  expect(await sandbox.settings.get()).toMatchObject({ strict: true, behaviour: 'observed' })
})

test('the options strict and behaviour take precedence over every scenario, in every workspace', async () => {
  const scenario = { name: 'strict', description: 'Strict.', settings: { strict: true } } as const
  await using sandbox = await createSandbox({ scenario, strict: false, behaviour: 'observed' })
  expect(await sandbox.settings.get()).toMatchObject({ strict: false, behaviour: 'observed' })
  await sandbox.settings.change({ behaviour: 'documented' })
  await sandbox.reset()
  expect(await sandbox.settings.get()).toMatchObject({ strict: false, behaviour: 'observed' })
  const { name } = await sandbox.workspaces.create({ scenario: 'payday' })
  const { body } = await sandbox.handle({ method: 'GET', path: `/_sandbox/settings?workspace=${name}` })
  expect(JSON.parse(String(body))).toMatchObject({ strict: false, behaviour: 'observed' })
})

test('an unknown behaviour is refused, in the options and by the API', async () => {
  await expect(createSandbox({ behaviour: 'live' as 'observed' })).rejects.toThrow(
    'Option behaviour must be documented or observed, not "live".',
  )
  await expect(createSandbox({ strict: 'yes' as unknown as boolean })).rejects.toThrow(
    'Option strict must be true or false, not "yes".',
  )
  await using sandbox = await createSandbox()
  await expect(sandbox.settings.change({ behaviour: 'live' as 'observed' })).rejects.toThrow(/behaviour/)
})
