import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { ceilingMs } from './waiting.ts'

const adminUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
/** Where the tests' Postgres runs. */
export const postgresHost = new URL(adminUrl).host

/** Databases of runs that were killed are dropped once they are this old. */
const staleMs = 60 * 60_000

/** Bytes of a database that is still kept; what a larger one had deleted would slow its next tests. */
const largestKept = 40_000_000

/** A new name; the process that runs the tests is this worker's parent. */
const newName = (kind: 'test' | 'kept') =>
  `skillpass_${kind}_${Date.now()}_${process.ppid}x${randomBytes(4).toString('hex')}`

const timeOf = (name: string) => Number(name.split('_')[2])

/** The address of a database. */
export function postgresUrl(name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Makes an empty database and gives its name. */
export async function createPostgres(): Promise<string> {
  const name = newName('test')
  await admin(`create database ${name}`)
  return name
}

/** Drops a database, whoever is still connected to it. */
export async function dropPostgres(name: string): Promise<void> {
  await admin(`drop database if exists ${name} with (force)`)
}

/** The databases that the tests of the workers of this process have not removed. */
export const databasesLeft = (): Promise<string[]> =>
  databasesLike(`skillpass_test_%_${process.pid}x%`)

/** Drops what killed runs left. Throws where Postgres does not answer. */
export async function dropStale(): Promise<void> {
  for (const name of await databasesLike('skillpass_%')) {
    if (timeOf(name) < Date.now() - staleMs) await dropPostgres(name)
  }
}

/** Drops the databases that the workers of this process kept for their next tests. */
export async function dropKept(): Promise<void> {
  for (const name of await databasesLike(`skillpass_kept_%_${process.pid}x%`)) {
    await dropPostgres(name)
  }
}

async function databasesLike(pattern: string): Promise<string[]> {
  const like = pattern.replaceAll('_', '\\_')
  const rows = await admin(`select datname from pg_database where datname like '${like}'`)
  return rows.map(({ datname = '' }) => datname)
}

/** Runs one statement as the administrator, on a connection of its own. */
export const admin = (statement: string): Promise<Record<string, string>[]> =>
  connected(adminUrl, (run) => run(statement))

/** Runs statements, on a connection of its own to a database. */
export const runOn = (url: string, statements: string): Promise<Record<string, string>[]> =>
  connected(url, (run) => run(statements))

type Run = (sql: string) => Promise<Record<string, string>[]>

async function connected<T>(url: string, use: (run: Run) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ceilingMs })
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(async (sql) => (await client.query(sql)).rows)
  } finally {
    await client.end()
  }
}

/** What a database holds, and how it is built, when it has just been migrated. */
interface Fresh {
  readonly shape: string
  /** SQL that brings back its rows. */
  readonly restore: string
}

let fresh: Fresh | undefined
const kept: string[] = []

/**
 * A migrated database that other tests of this process have ended with, under a new name: making one
 * takes hundreds of files and dropping it a checkpoint, emptying it milliseconds.
 */
export async function takeKept(): Promise<string | undefined> {
  const old = kept.pop()
  if (old === undefined) return undefined
  const name = newName('test')
  await admin(`alter database ${old} rename to ${name}`)
  return name
}

/** Notes what a database that has just been migrated holds, so that it can be kept later. */
export async function noteFresh(name: string): Promise<void> {
  fresh ??= await connected(postgresUrl(name), async (run) => {
    const tables = await run(`select tablename from pg_tables where schemaname = 'public'`)
    const statements: string[] = []
    for (const { tablename = '' } of tables) {
      statements.push(`delete from ${tablename}`)
      const [{ rows } = {}] = await run(`select json_agg(t)::text as rows from ${tablename} t`)
      if (!rows) continue
      const set = `json_populate_recordset(null::${tablename}, $rows$${rows}$rows$)`
      statements.push(`insert into ${tablename} select * from ${set}`)
    }
    return { shape: await shapeOf(run), restore: statements.join(';') }
  })
}

/** Keeps a migrated database for further tests, emptied; drops one that is built otherwise by now. */
export async function keepPostgres(name: string): Promise<void> {
  try {
    await connected(postgresUrl(name), emptied)
    const next = newName('kept')
    await admin(`alter database ${name} rename to ${next}`)
    kept.push(next)
  } catch {
    await dropPostgres(name)
  }
}

async function emptied(run: Run): Promise<void> {
  await run(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  const [{ size } = {}] = await run('select pg_database_size(current_database()) as size')
  if (Number(size) > largestKept || (await shapeOf(run)) !== fresh?.shape) {
    throw new Error('It is not worth keeping.')
  }
  // Foreign keys are triggers, and a replica has none run.
  await run(`begin; set local session_replication_role = replica; ${fresh.restore}; commit`)
}

/** A text that differs where columns, indexes, constraints, triggers or functions do. */
async function shapeOf(run: Run): Promise<string> {
  const rows = await run(`
    select attrelid::regclass::text || ' ' || attname || ' ' || atttypid || attnotnull as part
      from pg_attribute join pg_class on oid = attrelid
      where relnamespace = 'public'::regnamespace and attnum > 0
    union all select pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select proname from pg_proc where pronamespace = 'public'::regnamespace
    order by part`)
  return rows.map(({ part }) => part).join('\n')
}
