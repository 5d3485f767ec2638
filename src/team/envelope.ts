// Calls and replies between replicas: a line of JSON with everything but the body, its length before it, then the body.

import type { Call, Reply } from '../protocol/call.js'

/** A call as one replica hands it to another. */
export interface Handed {
  readonly call: Call
  /** The workspace that it is for. */
  readonly name: string
  /** Names the call in the logs of all replicas. */
  readonly requestId: string
  /** The receiver should take the workspace when nobody owns it. */
  readonly mayTake: boolean
}

/** What a replica tells the others about the set of workspaces. */
export interface News {
  readonly name: string
  readonly change: 'made' | 'removed'
}

/** What comes back: the reply, or why the receiver has not carried the call out. */
export type Answer =
  | { readonly reply: Reply; readonly executions?: number | undefined }
  | { readonly elsewhere: true; readonly retarget?: boolean }

export const packNews = (news: News): Buffer => Buffer.from(JSON.stringify(news))

export const unpackNews = (bytes: Uint8Array): News => JSON.parse(Buffer.from(bytes).toString()) as News

const frame = (head: object, body: Uint8Array | string): Buffer => {
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, typeof body === 'string' ? Buffer.from(body) : body])
}

/** The head, and where the body begins; undefined when not all of the head is there yet. */
export function readHead(bytes: Buffer): { readonly head: unknown; readonly bodyAt: number } | undefined {
  if (bytes.length < 4) return undefined
  const bodyAt = 4 + bytes.readUInt32BE(0)
  if (bytes.length < bodyAt) return undefined
  return { head: JSON.parse(bytes.toString('utf8', 4, bodyAt)) as unknown, bodyAt }
}

interface CallHead extends Omit<Handed, 'call'> {
  readonly call: Omit<Call, 'body' | 'cardCode'>
  readonly kind: 'none' | 'text' | 'bytes' | 'object'
  readonly cardCode?: { readonly depth: number; readonly executions: number }
}

export function packCall({ call, ...more }: Handed): Buffer {
  const { body, cardCode, ...rest } = call
  const kind =
    body === undefined
      ? 'none'
      : typeof body === 'string'
        ? 'text'
        : body instanceof Uint8Array
          ? 'bytes'
          : 'object'
  const origin = cardCode && { depth: cardCode.depth, executions: cardCode.root.executions }
  const head: CallHead = { ...more, call: rest, kind, ...(origin && { cardCode: origin }) }
  const sent =
    body === undefined ? '' : kind === 'object' ? JSON.stringify(body) : (body as string | Uint8Array)
  return frame({ ...head }, sent)
}

export function unpackCall(bytes: Buffer, signal: AbortSignal): Handed {
  const { head, bodyAt } = readHead(bytes)!
  const { call, kind, cardCode, ...more } = head as CallHead
  const rest = bytes.subarray(bodyAt)
  const body =
    kind === 'none'
      ? undefined
      : kind === 'bytes'
        ? rest
        : kind === 'text'
          ? rest.toString()
          : (JSON.parse(rest.toString()) as object)
  return {
    ...more,
    call: {
      ...call,
      body,
      ...(cardCode && {
        cardCode: { depth: cardCode.depth, root: { executions: cardCode.executions }, signal },
      }),
    },
  }
}

export interface AnswerHead {
  readonly elsewhere?: true
  readonly retarget?: boolean
  readonly reply?: Omit<Reply, 'body' | 'stream'>
  readonly isText?: boolean
  readonly isStream?: boolean
}

/** The answer without the parts of a stream, which follow as they come. */
export function packAnswer(answer: Answer): Buffer {
  if ('elsewhere' in answer) return frame({ ...answer }, '')
  const { body, stream, ...rest } = answer.reply
  const head: AnswerHead = {
    reply: rest,
    isText: typeof body === 'string',
    ...(stream && { isStream: true }),
  }
  return frame({ ...head }, body)
}
