import { defineEndpoint } from '../endpoint/endpoint.js'
import { record } from '../protocol/schema.js'
import { version } from '../protocol/version.js'

const text = (description: string) => ({ type: 'string', description }) as const

/** `GET /_sandbox`, for programs and people without a browser: a browser gets the page at this address. */
const Guide = record('Guide', 'What this is, and where to go from here.', {
  name: { const: 'sandbox-server', description: 'The name of this program.' },
  version: text('The version of this program.'),
  page: text('For a browser: accounts, cards, code and requests.'),
  health: text('Whether the sandbox is up.'),
  token: text('Where to sign in with client id, secret and API key.'),
  accounts: text('The first call with a token.'),
  service: text("The OpenAPI document of the bank's API."),
  control: text("The OpenAPI document of the sandbox's own API."),
})

export const guide = [
  defineEndpoint({
    method: 'GET',
    path: '/_sandbox',
    aliases: ['/_sandbox/'],
    summary: 'What this is and where everything is; a browser gets the page',
    auth: 'control',
    needsBank: false,
    response: Guide,
    envelope: 'bare',
    problems: [],
    handle: ({ call: { origin = 'http://localhost' } }) => ({
      name: 'sandbox-server',
      version: version(),
      page: `${origin}/_sandbox/`,
      health: `GET ${origin}/_sandbox/health`,
      token: `POST ${origin}/identity/v2/oauth2/token`,
      accounts: `GET ${origin}/za/pb/v1/accounts`,
      service: `GET ${origin}/_sandbox/openapi.json`,
      control: `GET ${origin}/_sandbox/control.json`,
    }),
  }),
]
