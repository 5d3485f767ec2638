import { defineEndpoint } from '../endpoint/endpoint.js'
import { changeSettings, SettingsChange, settingsOnWire, SettingsOnWire } from '../settings/settings.js'

export const settings = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/settings',
    summary: 'The settings of the workspace: settlement time, page size, rate limit, card code',
    auth: 'control',
    response: SettingsOnWire,
    envelope: 'bare',
    problems: [],
    needsBank: false,
    handle: ({ workspace }) => settingsOnWire(workspace.settings),
  }),
  defineEndpoint({
    method: 'PUT',
    path: '/_sandbox/settings',
    summary: 'Change settings; omitted ones stay',
    auth: 'control',
    body: SettingsChange,
    response: SettingsOnWire,
    envelope: 'bare',
    problems: ['invalid-request'],
    example: {
      body: { pageSize: 100, rateLimit: { requests: 60, per: 'PT1M' }, hooks: { onTimeout: 'decline' } },
    },
    needsBank: false,
    handle: ({ workspace, body }) => {
      workspace.settings = changeSettings(workspace.settings, body)
      workspace.events.tell({ type: 'settings', atMs: workspace.clock.now() })
      return settingsOnWire(workspace.settings)
    },
  }),
]
