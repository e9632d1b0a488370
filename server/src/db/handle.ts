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

/** What store functions take. The handle that `Database.write` passes to its work is one too. */
export type Db = Kysely<Schema>

export type DialectName = 'sqlite' | 'postgres'

/** Lends a connection to one query and takes it back. */
export type Lend = <T>(use: (connection: DatabaseConnection) => Promise<T>) => Promise<T>

/**
 * A kysely handle whose queries run on the connection that `lend` gives. kysely's own driver layer
 * (initialise, acquire, mutex, release) is left out: the engines here manage their connections.
 */
export function createHandle(dialect: DialectName, lend: Lend): Db {
  const { adapter, compiler, kyselyDialect } = parts[dialect]
  return new Kysely<Schema>({
    config: { dialect: kyselyDialect },
    dialect: kyselyDialect,
    driver,
    executor: new DefaultQueryExecutor(compiler, adapter, { provideConnection: lend }),
  })
}

/** Whether it is Postgres; SQLite has one writer at a time, and no words for locks of rows. */
export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** A transaction opened behind `Database.write`'s back would stall or escape the group commit. */
async function refuse(): Promise<never> {
  throw new Error('Transactions, connections and shutdown go through Database, not through kysely.')
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
