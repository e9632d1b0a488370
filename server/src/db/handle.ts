import {
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  SqliteDialect,
} from 'kysely'
import type { Schema } from './schema.ts'

/** A Kysely handle for store functions. `Database.write` passes one to its work. */
export type Db = Kysely<Schema>

type DialectName = 'sqlite' | 'postgres'

/**
 * Creates a Kysely handle whose queries run on the connection of `lend`. It skips Kysely's driver
 * layer (acquire, mutex, release), because the engines manage their connections.
 */
export function createHandle(
  dialect: DialectName,
  lend: <T>(use: (connection: DatabaseConnection) => Promise<T>) => Promise<T>,
): Db {
  const { adapter, compiler, kyselyDialect } = parts[dialect]
  return new Kysely<Schema>({
    config: { dialect: kyselyDialect },
    dialect: kyselyDialect,
    driver,
    executor: new DefaultQueryExecutor(compiler, adapter, { provideConnection: lend }),
  })
}

/** Whether the handle is Postgres. SQLite has a single writer and no row locks. */
export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Rejects transactions outside of `Database.write`, which would bypass the group commit. */
async function refuse(): Promise<never> {
  throw new Error('Use Database for transactions, connections and shutdown, not Kysely.')
}

const driver: Driver = {
  init: async () => {},
  acquireConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: refuse,
  destroy: refuse,
}

const partsOf = (kyselyDialect: Dialect) => ({
  kyselyDialect,
  adapter: kyselyDialect.createAdapter(),
  compiler: kyselyDialect.createQueryCompiler(),
})

const parts = {
  sqlite: partsOf(new SqliteDialect({ database: refuse })),
  postgres: partsOf(new PostgresDialect({ pool: refuse })),
}

export type Work<T> = (trx: Db) => Promise<T>

/**
 * Runs `work` with a handle that is valid only during the work, so that a late query throws instead
 * of joining another transaction. A failed query fails the work even if `work` catches the error,
 * because Postgres would turn the commit into a rollback.
 */
export async function runWork<T>(
  dialect: DialectName,
  connection: DatabaseConnection,
  work: Work<T>,
): Promise<T> {
  let hasEnded = false
  let failure: { error: unknown } | undefined
  const trx = createHandle(dialect, async (use) => {
    if (hasEnded) throw new Error('This transaction has ended. Await all of its queries.')
    if (failure) throw failure.error
    try {
      return await use(connection)
    } catch (error) {
      failure = { error }
      throw error
    }
  })
  try {
    const value = await work(trx)
    if (failure) throw failure.error
    return value
  } finally {
    hasEnded = true
  }
}
