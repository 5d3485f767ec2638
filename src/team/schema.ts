// The tables of the store, and how older ones become these.

import { StoreError, type Postgres } from './postgres.js'

/** One step. Replicas of the version before must be able to work on while it is made: it only adds. */
export const migrations: readonly string[] = [
  `create table $schema.replica (
     id text primary key,
     address text not null,
     program text not null,
     lease_until timestamptz not null,
     is_draining boolean not null default false,
     is_fenced boolean not null default false
   );
   create table $schema.history (id text primary key, value text not null, made_at timestamptz not null default now());
   create table $schema.workspace (
     id bigint generated always as identity primary key,
     name text not null unique,
     mark text not null unique,
     client_ids text[] not null,
     shown text not null,
     owner text,
     epoch bigint not null default 0,
     version bigint not null default 0,
     history text,
     rows bigint not null,
     bytes bigint not null,
     made_at timestamptz not null default now(),
     used_at timestamptz not null default now()
   ) with (fillfactor = 70);
   create index workspace_client_ids on $schema.workspace using gin (client_ids);
   create index workspace_owner on $schema.workspace (owner);
   create table $schema.part (
     workspace bigint not null references $schema.workspace on delete cascade,
     kind text not null,
     key text not null,
     seq bigint not null,
     version bigint not null,
     value text not null,
     primary key (workspace, kind, key)
   ) with (fillfactor = 80)`,
  // Control tokens of workspaces, by their hash.
  `alter table $schema.workspace add column control_hash text;
   create unique index workspace_control_hash on $schema.workspace (control_hash)`,
  // What a replica with TLS shows to those that hand it calls.
  `alter table $schema.replica add column certificate text`,
]

/** The version of the schema that this program makes. */
export const schemaVersion = migrations.length

/** A program that knows an older version than this works with the schema all the same, as each step only adds. */
const oldestProgram = 1

/** The version of the schema in the database; 0 when there is none. */
export async function versionOf(postgres: Postgres): Promise<number> {
  const [found] = await postgres.run<{ is: boolean }>(`select to_regclass('$schema.meta') is not null as is`)
  if (!found!.is) return 0
  const [row] = await postgres.run<{ value: string }>(`select value from $schema.meta where key = 'schema'`)
  return Number(row?.value ?? 0)
}

/**
 * Carries out the steps that are missing. Rejects with a {@link StoreError} when a newer program has made a schema that
 * this one cannot use.
 */
export async function migrate(
  postgres: Postgres,
  steps = migrations,
): Promise<{ readonly from: number; readonly to: number }> {
  return postgres.transaction(async (run) => {
    // Replicas that start together wait for one another.
    await run(`select pg_advisory_xact_lock(hashtext('sandbox-server $schema'))`)
    await run(`create schema if not exists $schema`)
    await run(`create table if not exists $schema.meta (key text primary key, value text not null)`)
    const rows = await run<{ key: string; value: string }>(`select key, value from $schema.meta`)
    const meta = new Map(rows.map(({ key, value }) => [key, value]))
    const from = Number(meta.get('schema') ?? 0)
    const oldest = Number(meta.get('oldest-program') ?? 0)
    if (oldest > schemaVersion)
      throw new StoreError(
        `the store has schema ${from}, which programs with schema ${oldest} and newer can use; this one has ${schemaVersion}.`,
      )
    const to = steps.length
    for (const step of steps.slice(from)) await run(step)
    if (from < to) {
      await put(run, 'schema', String(to))
      await put(run, 'oldest-program', String(oldestProgram))
    }
    return { from, to: Math.max(from, to) }
  })
}

const put = (run: Postgres['run'], key: string, value: string): Promise<unknown> =>
  run(
    `insert into $schema.meta (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value`,
    key,
    value,
  )

/** A value that all replicas share: the first one to ask decides. */
export async function shared(postgres: Postgres, key: string, first: () => string): Promise<string> {
  const read = (): Promise<{ value: string }[]> =>
    postgres.run<{ value: string }>(`select value from $schema.meta where key = $1`, key)
  const [found] = await read()
  if (found) return found.value
  await postgres.run(
    `insert into $schema.meta (key, value) values ($1, $2) on conflict (key) do nothing`,
    key,
    first(),
  )
  return (await read())[0]!.value
}
