// A server in front of a sandbox that changes its answers, to simulate a service that has drifted.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- an answer that is changed on purpose
export type Change = (answer: { status: number; headers: Record<string, string>; body: any }) => void

/** Changes named `refusal` are for wrong calls, the others for answers with data. */
const isMeant = (status: number, change: Change): boolean => status === 200 || change.name === 'refusal'

/** Forwards calls to `upstream`; when a pattern matches `GET /path`, its change is applied to the answer. */
export async function changedService(
  upstream: string,
  changes: Readonly<Record<string, Change>>,
): Promise<{ url: string; sent: string[]; close: () => void }> {
  const sent: string[] = []
  const server = createServer((request, response) => {
    void (async () => {
      sent.push(`${request.method!} ${request.url!}`)
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => name !== 'host' && name !== 'connection'),
      )
      const original = await fetch(`${upstream}${request.url!}`, {
        method: request.method!,
        headers: headers as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      const text = await original.text()
      const answer = {
        status: original.status,
        headers: Object.fromEntries(original.headers),
        body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text,
      }
      for (const [pattern, change] of Object.entries(changes))
        if (new RegExp(pattern).test(`${request.method!} ${request.url!}`) && isMeant(answer.status, change))
          change(answer)
      const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      delete answer.headers['content-length']
      delete answer.headers.connection
      response.writeHead(answer.status, answer.headers).end(body)
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
