import type {
  Compilable,
  CompiledQuery,
  DialectAdapter,
  Selectable,
  SelectQueryBuilder,
} from 'kysely'
import { type Camel, type Snake, snakeName } from '../text/case.ts'
import type { Database } from './database.ts'
import type { Db } from './handle.ts'
import type { Schema } from './schema.ts'

export { toSnake as toRow } from '../text/case.ts'
export { type Db, isPostgres } from './handle.ts'

/** A row of a table with camel-case names: `created_at` becomes `createdAt`. */
export type Fields<T extends keyof Schema> = {
  [C in keyof Selectable<Schema[T]> & string as Camel<C>]: Selectable<Schema[T]>[C]
}

type Selection<T extends string, N extends string, Prefix extends string> = N extends string
  ? `${T}.${Snake<N>} as ${Prefix}${N}`
  : never

/** Builds the selection for fields of a table. `prefix` distinguishes joined tables. */
export const columnsOf = <
  T extends keyof Schema,
  N extends keyof Fields<T> & string,
  Prefix extends string = '',
>(
  table: T,
  names: readonly N[],
  prefix = '' as Prefix,
): readonly Selection<T, N, Prefix>[] =>
  names.map((name) => `${table}.${snakeName(name)} as ${prefix}${name}` as Selection<T, N, Prefix>)

/** Reads fields of a row that were selected with or without a prefix. */
export const fieldsOf = <
  N extends string,
  Prefix extends string,
  R extends Readonly<Record<`${Prefix}${N}`, unknown>>,
>(
  row: R,
  names: readonly N[],
  prefix: Prefix,
): { [K in N]: R[`${Prefix}${K}`] } => {
  // Takes a third of the time of `Object.fromEntries`, which matters when the start reads all
  // skills.
  const fields = {} as { [K in N]: R[`${Prefix}${K}`] }
  for (const name of names) fields[name] = row[`${prefix}${name}`]
  return fields
}

/** Counts the rows of a query that has no selection yet. */
export async function countRows<T extends keyof Schema>(
  query: SelectQueryBuilder<Schema, T, object>,
): Promise<number> {
  const { count } = await query
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns whether a query finds rows, or a statement with `returning` changes any. */
export const hasRow = async (query: { execute(): Promise<unknown[]> }) =>
  (await query.execute()).length > 0

/** Returns one column of the rows that a query finds or changes. */
export const valuesOf = async <N extends string, V>(
  query: { execute(): Promise<readonly Readonly<Record<N, V>>[]> },
  column: N,
): Promise<V[]> => (await query.execute()).map((row) => row[column])

/** Deletes rows and returns their number. */
export const countDeleted = async (query: {
  executeTakeFirstOrThrow(): Promise<{ readonly numDeletedRows: bigint }>
}): Promise<number> => Number((await query.executeTakeFirstOrThrow()).numDeletedRows)

/** Parameters of a prepared query, without lists, whose length would change the query. */
type Values = Readonly<Record<string, string | number | null>>

/**
 * Builds and compiles a query once. Returns a function that runs it with values and returns the rows. Use
 * it on hot paths, where building and compiling takes longer than SQLite.
 *
 * @example
 * const skillById = prepared((db, { id }: { id: string }) =>
 *   db.selectFrom('skills').selectAll().where('id', '=', id),
 * )
 * const [skill] = await skillById(db, { id })
 *
 * `build` receives placeholders, so the query must not depend on the values.
 */
export function prepared<V extends Values, Row>(
  build: (db: Db, values: V) => Compilable<Row>,
): (db: Db, values: V) => Promise<Row[]> {
  const names = new Map<unknown, string>()
  const standIns = new Proxy({} as V, {
    get: (_, name) => {
      const standIn = Symbol(String(name))
      names.set(standIn, String(name))
      return standIn
    },
  })
  // Compile once per dialect. All handles of a dialect share their adapter.
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>()

  return async (db, values) => {
    const executor = db.getExecutor()
    let query = compiled.get(executor.adapter)
    if (!query) {
      query = build(db, standIns).compile()
      compiled.set(executor.adapter, query)
    }
    const parameters = query.parameters.map((parameter) => {
      const name = names.get(parameter)
      return name === undefined ? parameter : values[name]
    })
    const { rows } = await executor.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}

/** Like `prepared`, for a query of at most one row. Returns the row or undefined. */
export function preparedFirst<V extends Values, Row>(
  build: (db: Db, values: V) => Compilable<Row>,
): (db: Db, values: V) => Promise<Row | undefined> {
  const run = prepared(build)
  return async (db, values) => (await run(db, values))[0]
}

/** Rows per transaction. Small batches let the writes of requests run in between. */
const limit = 200

/** Removes up to `limit` rows per transaction, until a batch removes fewer. Returns the total. */
export async function inBatches(
  db: Pick<Database, 'write'>,
  remove: (trx: Db, limit: number) => Promise<number>,
): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await db.write((trx) => remove(trx, limit))
    removed += count
    if (count < limit) return removed
  }
}
