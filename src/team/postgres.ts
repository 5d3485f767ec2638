// The driver: `pg` is loaded only when a store is used, and only what is used of it is declared here.

/** Rows of a statement. */
interface Result<R> {
  readonly rows: R[]
  readonly rowCount: number | null
}

interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** A connection, inside a transaction. */
interface Connection {
  query<R = Record<string, unknown>>(statement: Statement): Promise<Result<R>>
  release(error?: Error): void
}

interface Pool {
  readonly totalCount: number
  readonly waitingCount: number
  query<R>(statement: Statement): Promise<Result<R>>
  connect(): Promise<Connection>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'connect', listener: (client: Emitter) => void): void
}

interface Emitter {
  on(event: 'error', listener: (error: Error) => void): void
}

interface Driver {
  readonly Pool: new (options: Record<string, unknown>) => Pool
}

/** The store cannot be used: what is wrong, and what would be right. */
export class StoreError extends Error {
  override readonly name = 'StoreError'

  /** @param exitCode 2 when another option would help, 1 when the store cannot be used now */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message)
  }
}

/** The store does not answer, or went away during a statement: whether that was carried out is not known. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway'

  /** @param isSent whether the statement may have reached the store */
  constructor(
    message: string,
    readonly isSent: boolean,
  ) {
    super(message)
  }
}

async function driver(): Promise<Driver> {
  // In a variable: the types of the package are not needed to compile ours.
  const name = 'pg'
  try {
    const module = (await import(name)) as { default: Driver }
    return module.default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StoreError('--store needs the package pg, which is not installed: npm install pg', 2)
  }
}

/** Connections of a pool, at most ten unless the address says otherwise (`?connections=20`). */
const defaultConnections = 10
/** A statement that takes longer has failed. */
const statementMs = 30_000
const connectMs = 2_000

/** Statements on a Postgres database, in the schema of the store. */
export class Postgres {
  readonly #pool: Pool
  readonly schema: string
  readonly #names = new Map<string, string>()
  readonly #isPreparing: boolean

  private constructor(pool: Pool, schema: string, isPreparing: boolean) {
    this.#pool = pool
    this.schema = schema
    this.#isPreparing = isPreparing
    // A connection that breaks while it is idle is replaced by the next statement.
    pool.on('error', () => undefined)
    // One that breaks between two statements says so to nobody: the next statement fails.
    pool.on('connect', (client) => client.on('error', () => undefined))
  }

  /**
   * A pool for an address such as `postgres://user@host/database?schema=bank&connections=20&prepare=0`. Throws a
   * {@link StoreError} for one that cannot be used, and when the driver is missing.
   */
  static async open(address: string): Promise<Postgres> {
    if (!URL.canParse(address) || !/^postgres(?:ql)?:$/.test(new URL(address).protocol))
      throw new StoreError('--store must be an address such as postgres://user@host/database.', 2)
    const url = new URL(address)
    const schema = taken(url, 'schema') ?? 'sandbox_server'
    const connections = Number(taken(url, 'connections') ?? defaultConnections)
    const isPreparing = taken(url, 'prepare') !== '0'
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
      throw new StoreError('--store: schema must be 1 to 63 small letters, digits and underscores.', 2)
    if (!Number.isInteger(connections) || connections < 2 || connections > 1_000)
      throw new StoreError('--store: connections must be a whole number from 2 to 1000.', 2)
    const { Pool } = await driver()
    const pool = new Pool({
      connectionString: url.href,
      max: connections,
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      application_name: 'sandbox-server',
      allowExitOnIdle: true,
    })
    return new Postgres(pool, schema, isPreparing)
  }

  /** Connections that are open, and statements that wait for one. */
  get load(): { readonly open: number; readonly waiting: number } {
    return { open: this.#pool.totalCount, waiting: this.#pool.waitingCount }
  }

  /** Runs one statement; `$schema` in it stands for the schema. Rejects with {@link StoreAway}. */
  async run<R = Record<string, unknown>>(text: string, ...values: readonly unknown[]): Promise<R[]> {
    let connection: Connection
    try {
      connection = await this.#pool.connect()
    } catch (error) {
      throw new StoreAway(messageOf(error), false)
    }
    try {
      const { rows } = await connection.query<R>(this.#statement(text, values))
      connection.release()
      return rows
    } catch (error) {
      connection.release(isAway(error) ? (error as Error) : undefined)
      throw isAway(error) ? new StoreAway(messageOf(error), true) : error
    }
  }

  /** Runs statements in one transaction. Rejects with {@link StoreAway}. */
  async transaction<T>(work: (run: Postgres['run']) => Promise<T>): Promise<T> {
    let connection: Connection
    try {
      connection = await this.#pool.connect()
    } catch (error) {
      throw new StoreAway(messageOf(error), false)
    }
    const run = async <R>(text: string, ...values: readonly unknown[]): Promise<R[]> =>
      (await connection.query<R>({ text: this.#inSchema(text), values })).rows
    try {
      await connection.query({ text: 'begin' })
      const result = await work(run)
      await connection.query({ text: 'commit' })
      connection.release()
      return result
    } catch (error) {
      const away = isAway(error)
      if (!away) await connection.query({ text: 'rollback' }).catch(() => undefined)
      connection.release(away ? (error as Error) : undefined)
      throw away ? new StoreAway(messageOf(error), true) : error
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  /** A statement that is planned once for each connection, unless a pooler stands in between. */
  #statement(text: string, values: readonly unknown[]): Statement {
    const inSchema = this.#inSchema(text)
    if (!this.#isPreparing) return { text: inSchema, values }
    let name = this.#names.get(text)
    if (name === undefined) this.#names.set(text, (name = `s${this.#names.size}`))
    return { name, text: inSchema, values }
  }

  #inSchema(text: string): string {
    return text.replaceAll('$schema', this.schema)
  }
}

/** A parameter of the address that is ours, taken out of it. */
function taken({ searchParams }: URL, name: string): string | undefined {
  const value = searchParams.get(name) ?? undefined
  searchParams.delete(name)
  return value
}

const messageOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException
  return message === '' ? (code ?? 'it does not answer') : message
}

/** Errors of the connection, of a server that stops or begins, and of one that has no connection left. */
function isAway(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return /connection|timeout|terminat/i.test(message)
  return /^(?:08...|57P0[123]|53300|25006|E[A-Z]+)$/.test(code)
}
