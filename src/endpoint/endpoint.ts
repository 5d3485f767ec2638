// One declaration is an endpoint: its path, its requirements, its answer. The router, validation, the OpenAPI
// document and the contract test read the same declarations. This file imports only types from other rooms.

import type { Bank } from '../bank/bank.js'
import type { Runner } from '../card-code/host/runner.js'
import type { Grant, Permission } from '../bank/credentials.js'
import type { Authorization } from '../protocol/authorization.js'
import type { Behaviour } from '../protocol/behaviour.js'
import type { InputError, ProblemCode } from '../protocol/problem.js'
import type { FromSchema, Schema } from '../protocol/schema.js'
import type { Warning } from '../protocol/warning.js'

import type { Call, ListenAddress, Reply } from '../protocol/call.js'
import type { Workspace } from '../workspace/workspace.js'
import type { Workspaces } from '../workspace/workspaces.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The names in `{braces}` of a path. */
type ParamsOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string> & ParamsOf<Rest>
  : unknown

/** Which API a document describes: the service's, or the sandbox's own. */
export type ApiName = 'service' | 'control'

/** What an endpoint may use of the sandbox that serves it. */
export interface Host {
  readonly workspaces: Workspaces
  /** Where servers listen for this sandbox. */
  readonly listensAt: ReadonlySet<ListenAddress>
  /** The runner of card code; rejects once the sandbox is closed. */
  readonly runner: () => Promise<Runner>
  /** Answers a call, in the given workspace if there is one. */
  readonly handle: (call: Call, within?: Workspace) => Promise<Reply>
  /** The OpenAPI 3.1 document of an API, for a sandbox at `origin`. */
  readonly openApi: (api: ApiName, origin?: string, behaviour?: Behaviour) => Promise<object>
  /** The file that stores the state, and why it cannot be written at present; undefined without `--state`. */
  readonly stateFile: () => { readonly file: string; readonly error: string | null } | undefined
}

/** The argument of an endpoint's `handle`. */
export interface Context<P, Q, B> extends Host {
  readonly workspace: Workspace
  readonly bank: Bank
  /** What the token gives access to. Only endpoints with `auth: 'token'` may read it. */
  readonly grant: Grant
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly call: Call
  /** A header of the call by its lower-case name; repeated headers are joined with commas. */
  readonly header: (name: string) => string | undefined
  readonly authorization: Authorization
  /** The form of a call to an endpoint with `auth: 'client'`; undefined when the body is not a form. */
  readonly form: URLSearchParams | undefined
  /** Adds a warning to the log and the journal entry of this call; it refuses nothing. */
  warn(warnings: readonly Warning[]): void
}

type Typed<S> = S extends Schema ? FromSchema<S> : Record<string, never>

/**
 * What the documentation and the contract test send. Parameters that identify a record default to records of the
 * household.
 */
export interface Example {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

/** Sends the calls that an example depends on: returns the parsed answer, or the `data` of an envelope. */
export type Ask = <T>(method: Method, path: string, body?: object) => Promise<T>

/** The argument of `defineEndpoint`. */
export interface Definition<P extends string, Q extends Schema | undefined, B extends Schema | undefined> {
  readonly method: Method
  readonly path: P
  /** Other paths of the same endpoint, with the same parameters. */
  readonly aliases?: readonly string[]
  /**
   * The name of the typed client's method and of the OpenAPI operation; by default the operation is named after its
   * path.
   */
  readonly name?: string
  readonly summary: string
  /** `token`: bearer token; `client`: client credentials; `control`: the sandbox's own API. */
  readonly auth: 'token' | 'client' | 'control'
  readonly permission?: Permission
  /** False when the answer does not need the bank, so that a first call does not wait for its history. */
  readonly needsBank?: false
  /** Schemas of path parameters that are not just text. A date is accepted in any form of ISO 8601. */
  readonly pathParams?: Readonly<Record<string, Schema>>
  /** Schema of the query parameters; undeclared ones are ignored. */
  readonly query?: Q
  /** Schema of the JSON body. */
  readonly body?: B
  /** True when a call without a body counts as one with an empty object. */
  readonly allowsEmptyBody?: boolean
  /**
   * Called when a body breaks its schema: finds the errors that only the bank can see, so that a client gets all
   * errors at once. `handle` refuses the same errors in valid bodies.
   */
  readonly bankErrors?: (context: Context<ParamsOf<P>, Typed<Q>, unknown>) => readonly InputError[]
  /** Schema of a body that comes as a form; the endpoint checks it itself. */
  readonly form?: Schema
  /** Schema of the data, or of the whole answer when it has no envelope. */
  readonly response: Schema
  /**
   * `links`: the envelope with the address of the request; `no-links`: the envelope with null instead; `bare`: no
   * envelope.
   */
  readonly envelope: 'links' | 'no-links' | 'bare'
  /** The content type when it is not JSON. */
  readonly produces?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly problems: readonly ProblemCode[]
  /** A call that is answered with 200; by default a call with just the path. Null: no example is shown. */
  readonly example?: Example | ((ask: Ask) => Promise<Example>) | null
  readonly handle: (context: Context<ParamsOf<P>, Typed<Q>, Typed<B>>) => unknown
}

/** An endpoint as lists hold it, without its types. */
export interface Endpoint extends Omit<Definition<string, Schema, Schema>, 'handle' | 'bankErrors'> {
  readonly bankErrors?: (context: Context<Record<string, string>, never, unknown>) => readonly InputError[]
  readonly handle: (context: Context<Record<string, string>, never, never>) => unknown
}

/** An endpoint with the types of its parameters, query, body and answer; see {@link defineEndpoint}. */
export interface Declared<M extends Method, P extends string, Q, B, R> extends Endpoint {
  readonly method: M
  readonly path: P
  /** Never set: for the compiler, so that the declaration types callers in the process. */
  readonly types?: { readonly query: Typed<Q>; readonly body: Typed<B>; readonly answer: FromSchema<R> }
}

/** Declares an endpoint. Adding it to its resource's list is enough to serve and document it. */
export function defineEndpoint<
  const M extends Method,
  const P extends string,
  const R extends Schema,
  const Q extends Schema | undefined = undefined,
  const B extends Schema | undefined = undefined,
>(definition: Definition<P, Q, B> & { readonly method: M; readonly response: R }): Declared<M, P, Q, B, R> {
  return definition as unknown as Declared<M, P, Q, B, R>
}
