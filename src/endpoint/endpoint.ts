// One declaration is an endpoint: what it matches, what it needs, what it answers. The router, validation, the OpenAPI
// document and the contract test read the same declarations. Of ours it imports types only.

import type { Bank } from '../bank/bank.js'
import type { Grant, Permission } from '../bank/credentials.js'
import type { Fault, ProblemCode } from '../protocol/problem.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { FromSchema, Schema } from '../protocol/schema.js'
import type { Workspace } from '../workspace/workspace.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A request as a plain object: what every way into the sandbox translates to. */
export interface Call {
  readonly method: string
  /** Path, with or without a query string. */
  readonly path: string
  /** Query parameters, in place of a query string in `path`. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Bytes or text as sent; an object stands for its JSON. */
  readonly body?: string | Uint8Array | object | undefined
  /** Scheme and host that the caller used, for `links.self`; defaults to `http://localhost`. */
  readonly origin?: string
  /** Set for a call of card code to the service's own address: how many executions it comes out of. */
  readonly depth?: number
}

/** An answer as a plain object. Header names are lower case. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** In place of `body`: parts that come as time passes, until whoever asked goes away. */
  readonly stream?: AsyncIterableIterator<string>
  /**
   * What is to befall the connection: it breaks (`reset`), stays silent (`hang`), or breaks in the middle of the body
   * (`truncate`). The status and the body are those that the caller never sees, or sees the beginning of.
   */
  readonly disturbance?: 'reset' | 'hang' | 'truncate'
  /** The id of the fault that made this answer what it is. */
  readonly fault?: string
}

/** Data whose JSON is written already, as text or as UTF-8, so that it is not written again; or a page of several. */
export class JsonText {
  constructor(
    readonly text: string | Uint8Array,
    readonly totalPages = 1,
  ) {}
}

/** An answer that is no JSON: a document. */
export class Binary {
  constructor(
    readonly contentType: string,
    readonly bytes: Uint8Array,
  ) {}
}

/** An answer that goes on as things happen: server-sent events. */
export class EventStream {
  constructor(readonly parts: AsyncIterableIterator<string>) {}
}

/** The names in `{braces}` of a path. */
export type ParamsOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string> & ParamsOf<Rest>
  : unknown

/** What an endpoint's `handle` is given. */
export interface Context<P, Q, B> {
  readonly sandbox: Sandbox
  readonly workspace: Workspace
  readonly bank: Bank
  /** What the token opens. Only endpoints with `auth: 'token'` may ask for it. */
  readonly grant: Grant
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly call: Call
  /** A header of the call by its lower-case name; several of one name are joined with commas. */
  readonly header: (name: string) => string | undefined
}

type Typed<S> = S extends Schema ? FromSchema<S> : Record<string, never>

/** What the documentation and the contract test send. Parameters that name a record are that of the household. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

/** Asks the sandbox for what must be there before an example: the parsed answer, or the `data` of an envelope. */
export type Ask = <T>(method: Method, path: string, body?: object) => Promise<T>

/** What `defineEndpoint` takes. */
export interface Definition<P extends string, Q extends Schema | undefined, B extends Schema | undefined> {
  readonly method: Method
  readonly path: P
  /** Other paths under which the same endpoint is reached, with the same parameters. */
  readonly alsoAt?: readonly string[]
  readonly summary: string
  /** `token`: bearer token; `client`: client credentials; `control`: the sandbox's own API. */
  readonly auth: 'token' | 'client' | 'control'
  readonly permission?: Permission
  /** False where the answer does not need the bank, so that a first call does not wait for its history. */
  readonly needsBank?: false
  /** Schema of the query parameters; others are let pass. */
  readonly query?: Q
  /** Schema of the JSON body. */
  readonly body?: B
  /**
   * Asked when a body does not fit its schema: what else is wrong with it, as far as the bank can see, so that a client
   * reads of everything at once. `handle` refuses the same faults in bodies that fit.
   */
  readonly moreFaults?: (context: Context<ParamsOf<P>, Typed<Q>, unknown>) => readonly Fault[]
  /** Schema of a body that comes as a form; the endpoint checks it itself. */
  readonly form?: Schema
  /** Schema of the data, or of the whole answer when it is not wrapped. */
  readonly response: Schema
  /** `links`: the envelope with the address of the request; `no-links`: with null in its place; `bare`: none. */
  readonly envelope: 'links' | 'no-links' | 'bare'
  /** The content type when it is not JSON. */
  readonly produces?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly problems: readonly ProblemCode[]
  /** A call that is answered with 200; without one, the call that needs no more than its path. Null: none is shown. */
  readonly example?: Example | ((ask: Ask) => Promise<Example>) | null
  readonly handle: (context: Context<ParamsOf<P>, Typed<Q>, Typed<B>>) => unknown
}

/** An endpoint whose types have done their work. */
export interface Endpoint extends Omit<Definition<string, Schema, Schema>, 'handle' | 'moreFaults'> {
  readonly moreFaults?: (context: Context<Record<string, string>, never, unknown>) => readonly Fault[]
  readonly handle: (context: Context<Record<string, string>, never, never>) => unknown
}

/** An endpoint that still knows the types of its parameters, query, body and answer; see {@link defineEndpoint}. */
export interface Declared<M extends Method, P extends string, Q, B, R> extends Endpoint {
  readonly method: M
  readonly path: P
  /** Never set: for the compiler, so that a caller in the process is typed by the declaration. */
  readonly types?: { readonly query: Typed<Q>; readonly body: Typed<B>; readonly answer: FromSchema<R> }
}

/** Declares an endpoint. Adding it to its resource's list is all that is needed to serve and document it. */
export function defineEndpoint<
  const M extends Method,
  const P extends string,
  const R extends Schema,
  const Q extends Schema | undefined = undefined,
  const B extends Schema | undefined = undefined,
>(definition: Definition<P, Q, B> & { readonly method: M; readonly response: R }): Declared<M, P, Q, B, R> {
  return definition as unknown as Declared<M, P, Q, B, R>
}
