// What replicas ask of the database: who owns a workspace, its parts, and one commit.

import { mainName } from '../workspace/clients.js'
import { Postgres } from './postgres.js'
import type { Part, PartKind } from './part.js'
import type { Commit } from './saved.js'

/** A workspace that this process owns. */
export interface Claim {
  readonly id: string
  readonly epoch: string
  readonly history: string | null
}

/** Where a workspace is. */
export interface Place {
  readonly name: string
  /** The replica that owns it; null when none that is alive does. */
  readonly owner: string | null
  readonly address: string | null
}

/** Where a replica listens. */
export interface Listener {
  readonly address: string
  readonly certificate?: string | null
}

/** A workspace as lists show it. */
export interface Listed {
  readonly name: string
  readonly shown: string
}

interface Columns {
  readonly kind: PartKind
  readonly key: string
  readonly seq: string
  readonly value: string
}

const placeColumns = `w.name, r.id as owner, r.address
  from $schema.workspace w left join $schema.replica r on r.id = w.owner and not r.is_fenced and r.lease_until > clock_timestamp()`

/** How long a lease lasts after it was renewed. */
export const leaseMs = 3_000

/** A larger commit is sent in pieces, within one transaction. */
const maxStatementBytes = 4 * 1024 * 1024

/** The statements of the store. */
export class Store {
  constructor(readonly postgres: Postgres) {}

  /** Registers a replica, whose lease begins now; with TLS it shows the certificate (PEM). */
  async register(id: string, { address, certificate = null }: Listener, program: string): Promise<void> {
    await this.postgres.run(
      `insert into $schema.replica (id, address, certificate, program, lease_until)
       values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 ms')`,
      id,
      address,
      certificate,
      program,
      leaseMs,
    )
  }

  /** The certificate that the replica at an address shows. */
  async certificateOf(address: string): Promise<string | undefined> {
    const [row] = await this.postgres.run<{ certificate: string | null }>(
      `select certificate from $schema.replica where address = $1 order by lease_until desc limit 1`,
      address,
    )
    return row?.certificate ?? undefined
  }

  /**
   * Renews the lease; gives what lists show of the main workspace, or undefined when somebody has ended the lease, and may
   * own what this replica owned.
   */
  async renew(id: string, isDraining: boolean): Promise<{ readonly main: string | null } | undefined> {
    const [row] = await this.postgres.run<{ main: string | null }>(
      `update $schema.replica set lease_until = clock_timestamp() + $2 * interval '1 ms', is_draining = $3
       where id = $1 and not is_fenced returning (select shown from $schema.workspace where name = $4) as main`,
      id,
      leaseMs,
      isDraining,
      mainName,
    )
    return row
  }

  /** Ends the lease of a replica that leaves; nothing is its own any more. */
  async leave(id: string): Promise<void> {
    await this.postgres.run(`delete from $schema.replica where id = $1`, id)
  }

  /** Replicas that can take workspaces, besides `id`. */
  async others(id: string): Promise<{ readonly id: string; readonly address: string }[]> {
    return this.postgres.run(
      `select id, address from $schema.replica
       where id <> $1 and not is_fenced and not is_draining and lease_until > clock_timestamp() order by id`,
      id,
    )
  }

  /** The replicas, for `store status`. */
  async replicas(): Promise<Record<string, unknown>[]> {
    return this.postgres.run(
      `select r.id, r.address, r.program, r.is_draining, r.is_fenced,
         (extract(epoch from r.lease_until - clock_timestamp()) * 1000)::int as lease_ms,
         (select count(*)::int from $schema.workspace w where w.owner = r.id) as workspaces
       from $schema.replica r order by r.id`,
    )
  }

  /** For each history the workspace with fewer rows that was used last; the most recently used ones first. */
  async recent(most: number, maxRows: number): Promise<string[]> {
    const rows = await this.postgres.run<{ name: string }>(
      `select name from (select distinct on (history) name, used_at from $schema.workspace where rows < $2
         order by history, used_at desc) as each_history order by used_at desc limit $1`,
      most,
      maxRows,
    )
    return rows.map(({ name }) => name)
  }

  /** Where a workspace of this name is; undefined when there is none. */
  async find(name: string): Promise<Place | undefined> {
    if (!/^[\w.-]{1,100}$/.test(name)) return undefined
    const [place] = await this.postgres.run<Place>(`select ${placeColumns} where w.name = $1`, name)
    return place
  }

  /** The same for the beginning of a token. */
  async findByMark(mark: string): Promise<Place | undefined> {
    if (!/^[A-Za-z0-9]+$/.test(mark)) return undefined
    const [place] = await this.postgres.run<Place>(`select ${placeColumns} where w.mark = $1`, mark)
    return place
  }

  /** The names of the workspaces that know one of these clients, in the order in which they were made. */
  async namesOfClients(clientIds: readonly string[]): Promise<string[]> {
    const rows = await this.postgres.run<{ name: string }>(
      `select name from $schema.workspace where client_ids && $1 order by id`,
      storable(clientIds),
    )
    return rows.map(({ name }) => name)
  }

  /** All workspaces, the oldest first. */
  async list(): Promise<Listed[]> {
    return this.postgres.run(`select name, shown from $schema.workspace order by id`)
  }

  /**
   * Takes a workspace that nobody owns, or whose owner's lease has expired; undefined when somebody else owns it, or there is
   * none. From then on no other owner can write.
   */
  async claim(name: string, me: string): Promise<Claim | undefined> {
    // An owner whose lease has expired is fenced first: it waits for a renewal that is under way, and none comes after.
    await this.postgres.run(
      `update $schema.replica set is_fenced = true
       where id = (select owner from $schema.workspace where name = $1) and id <> $2 and not is_fenced
         and lease_until <= clock_timestamp()`,
      name,
      me,
    )
    const [claim] = await this.postgres.run<Claim>(
      `update $schema.workspace w set owner = $2, epoch = epoch + 1, used_at = clock_timestamp()
       where name = $1
         and (owner is null or owner = $2
           or not exists (select from $schema.replica r where r.id = w.owner and not r.is_fenced))
         and exists (select from $schema.replica r where r.id = $2 and not r.is_fenced)
       returning id, epoch, history`,
      name,
      me,
    )
    return claim
  }

  /** The parts of a workspace, in the order of their lists. */
  async parts(id: string, without: readonly PartKind[] = []): Promise<Part[]> {
    const rows = await this.postgres.run<Columns>(
      `select kind, key, seq, value from $schema.part where workspace = $1 and kind <> all($2) order by kind, seq`,
      id,
      without,
    )
    return rows.map(({ seq, ...part }) => ({ ...part, seq: Number(seq) }))
  }

  /** A workspace as its last commit left it, whoever owns it. */
  async snapshot(name: string): Promise<{ history: string | null; parts: Part[] } | undefined> {
    return this.postgres.transaction(async (run) => {
      await run('set transaction isolation level repeatable read, read only')
      const [row] = await run<{ id: string; history: string | null }>(
        `select id, history from $schema.workspace where name = $1`,
        name,
      )
      if (!row) return undefined
      const rows = await run<Columns>(
        `select kind, key, seq, value from $schema.part where workspace = $1 order by kind, seq`,
        row.id,
      )
      return { history: row.history, parts: rows.map(({ seq, ...part }) => ({ ...part, seq: Number(seq) })) }
    })
  }

  /** How large the workspaces are, for `store status`. */
  async sizes(): Promise<Record<string, unknown>[]> {
    return this.postgres.run(
      `select name, owner, epoch::int, version::int, rows::int, bytes::int, used_at from $schema.workspace order by id`,
    )
  }

  async history(id: string): Promise<string> {
    const [row] = await this.postgres.run<{ value: string }>(
      `select value from $schema.history where id = $1`,
      id,
    )
    return row!.value
  }

  /**
   * Adds a workspace that this replica owns, with all of its parts; undefined when there is one of this name.
   *
   * @param controlHash the hash of its control token, if it has one
   */
  async add(
    name: string,
    { mark, owner, controlHash }: { mark: string; owner: string | null; controlHash: string | null },
    commit: Commit,
  ): Promise<Claim | undefined> {
    return this.postgres.transaction(async (run) => {
      const [claim] = await run<Claim>(
        `insert into $schema.workspace (name, mark, client_ids, shown, owner, epoch, history, rows, bytes, control_hash)
         values ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9) on conflict do nothing returning id, epoch, history`,
        name,
        mark,
        storable(commit.clientIds),
        commit.shown,
        owner,
        commit.history,
        commit.rows,
        commit.bytes,
        controlHash,
      )
      if (!claim) return undefined
      await addHistory(run, commit)
      for (const puts of pieces(commit.puts)) await run(putParts, claim.id, 0, ...columnsOf(puts))
      return claim
    })
  }

  /** Writes changes; false when this replica does not own the workspace any more, and nothing was written. */
  async commit({ id, epoch }: Claim, me: string, commit: Commit): Promise<boolean> {
    const pieced = pieces(commit.puts)
    if (pieced.length <= 1 && !commit.newHistory) {
      const rows = await this.postgres.run(
        commitAll,
        ...ownership(id, me, epoch, commit),
        ...deletesOf(commit),
        ...columnsOf(commit.puts),
      )
      return rows.length > 0
    }
    return this.postgres.transaction(async (run) => {
      const [row] = await run<{ version: string }>(
        commitAll,
        ...ownership(id, me, epoch, commit),
        ...deletesOf(commit),
        [],
        [],
        [],
        [],
      )
      if (!row) return false
      await addHistory(run, commit)
      for (const puts of pieced) await run(putParts, id, row.version, ...columnsOf(puts))
      return true
    })
  }

  /** Whether this replica owns a workspace still. */
  async owns({ id, epoch }: Claim, me: string): Promise<boolean> {
    const rows = await this.postgres.run(
      `select from $schema.workspace where id = $1 and owner = $2 and epoch = $3`,
      id,
      me,
      epoch,
    )
    return rows.length > 0
  }

  /** Gives a workspace back; `idleMs` says how long ago it was used. */
  async release({ id, epoch }: Claim, me: string, idleMs: number): Promise<void> {
    await this.postgres.run(
      `update $schema.workspace set owner = null, used_at = clock_timestamp() - $4 * interval '1 ms'
       where id = $1 and owner = $2 and epoch = $3`,
      id,
      me,
      epoch,
      Math.round(idleMs),
    )
  }

  /** Deletes a workspace of this replica; false when it is not its own any more. */
  async remove({ id, epoch }: Claim, me: string): Promise<boolean> {
    const rows = await this.postgres.run(
      `delete from $schema.workspace where id = $1 and owner = $2 and epoch = $3 returning id`,
      id,
      me,
      epoch,
    )
    return rows.length > 0
  }

  /** The workspace whose control token has this hash. */
  async ofControlHash(controlHash: string): Promise<string | undefined> {
    const [row] = await this.postgres.run<{ name: string }>(
      `select name from $schema.workspace where control_hash = $1`,
      controlHash,
    )
    return row?.name
  }

  /** Deletes workspaces that nobody owns and nobody has used for so long. Returns how many. */
  async expire(unusedMs: number, except: string): Promise<number> {
    const rows = await this.postgres.run(
      `delete from $schema.workspace w where name <> $2 and used_at < clock_timestamp() - $1 * interval '1 ms'
         and not exists (select from $schema.replica r where r.id = w.owner and not r.is_fenced
           and r.lease_until > clock_timestamp()) returning id`,
      unusedMs,
      except,
    )
    return rows.length
  }

  /** Deletes replicas that are gone and histories that no workspace has. */
  async tidy(): Promise<void> {
    await this.postgres.run(
      `delete from $schema.replica r where lease_until < clock_timestamp() - interval '1 hour'
         and not exists (select from $schema.workspace w where w.owner = r.id)`,
    )
    await this.postgres.run(
      `delete from $schema.history h where made_at < now() - interval '1 day'
         and not exists (select from $schema.workspace w where w.history = h.id)`,
    )
  }
}

const putParts = `insert into $schema.part (workspace, kind, key, seq, version, value)
  select $1, kind, key, seq, $2, value from unnest($3::text[], $4::text[], $5::bigint[], $6::text[]) as t(kind, key, seq, value)
  on conflict (workspace, kind, key) do update set seq = excluded.seq, version = excluded.version, value = excluded.value`

/** One statement, so that a commit costs one round trip. Nothing is written unless owner and epoch are right. */
const commitAll = `with own as (
    update $schema.workspace set version = version + 1, used_at = clock_timestamp(),
      client_ids = case when client_ids = $4 then client_ids else $4 end,
      shown = $5, history = $6, rows = $7, bytes = $8
    where id = $1 and owner = $2 and epoch = $3 returning id, version),
  gone as (
    delete from $schema.part p using own, unnest($9::text[], $10::text[]) as d(kind, key)
    where p.workspace = own.id and p.kind = d.kind and p.key = d.key),
  put as (
    insert into $schema.part (workspace, kind, key, seq, version, value)
    select own.id, t.kind, t.key, t.seq, own.version, t.value
    from own, unnest($11::text[], $12::text[], $13::bigint[], $14::text[]) as t(kind, key, seq, value)
    on conflict (workspace, kind, key) do update
      set seq = excluded.seq, version = excluded.version, value = excluded.value)
  select version from own`

const ownership = (
  id: string,
  me: string,
  epoch: string,
  { clientIds, shown, history, rows, bytes }: Commit,
): unknown[] => [id, me, epoch, storable(clientIds), shown, history, rows, bytes]

/** Postgres takes no NUL in a text. */
const storable = (texts: readonly string[]): string[] => texts.filter((text) => !text.includes('\0'))

const deletesOf = ({ deletes }: Commit): unknown[] => [
  deletes.map(({ kind }) => kind),
  deletes.map(({ key }) => key),
]

const columnsOf = (puts: readonly Part[]): unknown[] => [
  puts.map(({ kind }) => kind),
  puts.map(({ key }) => key),
  puts.map(({ seq }) => seq),
  puts.map(({ value }) => value),
]

async function addHistory(run: Postgres['run'], { newHistory }: Commit): Promise<void> {
  if (newHistory)
    await run(
      `insert into $schema.history (id, value) values ($1, $2) on conflict (id) do nothing`,
      newHistory.id,
      newHistory.text,
    )
}

/** Parts in lists that are each short enough for one statement. */
function pieces(puts: readonly Part[]): Part[][] {
  const found: Part[][] = []
  let bytes = Infinity
  for (const part of puts) {
    if (bytes + part.value.length > maxStatementBytes) {
      found.push([])
      bytes = 0
    }
    found.at(-1)!.push(part)
    bytes += part.value.length
  }
  return found
}
