import type { SelectQueryBuilder } from 'kysely'
import type { Schema } from './schema.ts'

/** How many rows a query finds, which selects nothing else. */
export async function countRows<T extends keyof Schema>(
  query: SelectQueryBuilder<Schema, T, object>,
): Promise<number> {
  const { count } = await query
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
