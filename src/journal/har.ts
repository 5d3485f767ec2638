// The journal as an HTTP Archive (HAR 1.2), which the tools of browsers and many others open.

import type { CallRecord } from './call-record.js'

/** The document for calls to `origin`. */
export function harOf(calls: readonly CallRecord[], version: string, origin: string): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'sandbox-server', version },
      entries: calls.map((call) => entryOf(call, origin)),
    },
  }
}

function entryOf(call: CallRecord, origin: string): object {
  const { request, response, ms, status } = call
  const queryString = Object.entries(call.query).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value: String(value) })),
  )
  const search = new URLSearchParams(
    queryString.map(({ name, value }): [string, string] => [name, value]),
  ).toString()
  const type = headerOf(request.headers, 'content-type')
  return {
    startedDateTime: call.time,
    time: ms,
    request: {
      method: call.method,
      url: origin + call.path + (search === '' ? '' : `?${search}`),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString,
      ...(request.body !== '' && { postData: { mimeType: type, text: request.body } }),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response.headers),
      content: {
        size: Buffer.byteLength(response.body),
        mimeType: headerOf(response.headers, 'content-type'),
        text: status === null ? '' : response.body,
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  }
}

const pairs = (headers: Readonly<Record<string, string>>): object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

const headerOf = (headers: Readonly<Record<string, string>>, name: string): string =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1] ?? 'x-unknown'
