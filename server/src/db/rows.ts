import type { SelectQueryBuilder } from 'kysely'
import type { Schema } from './schema.ts'

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
