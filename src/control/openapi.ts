// The documents that describe both APIs.

import { defineEndpoint } from '../endpoint/endpoint.js'

const OpenApi = { type: 'object', description: 'An OpenAPI 3.1 document.' } as const

export const openapi = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/openapi.json',
    summary: "The service's API as an OpenAPI 3.1 document",
    auth: 'control',
    needsBank: false,
    response: OpenApi,
    envelope: 'bare',
    problems: [],
    example: null,
    handle: ({ openApi, workspace, call: { origin } }) =>
      openApi('service', origin, workspace.settings.behaviour),
  }),
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox/control.json',
    summary: 'This control API as an OpenAPI 3.1 document',
    auth: 'control',
    needsBank: false,
    response: OpenApi,
    envelope: 'bare',
    problems: [],
    example: null,
    handle: ({ openApi, workspace, call: { origin } }) =>
      openApi('control', origin, workspace.settings.behaviour),
  }),
]
