import type { Selectable } from 'kysely'
import { type Camel, type Snake, snakeName } from '../runtime/case.ts'
import type { Schema } from './schema.ts'

export { toSnake as toRow } from '../runtime/case.ts'

/** A row of a table by the names that records give its columns: `created_at` is `createdAt`. */
export type Fields<T extends keyof Schema> = {
  [C in keyof Selectable<Schema[T]> & string as Camel<C>]: Selectable<Schema[T]>[C]
}

type Selection<T extends string, N extends string, Prefix extends string> = N extends string
  ? `${T}.${Snake<N>} as ${Prefix}${N}`
  : never

/** What a query selects for some fields of a table; `prefix` tells apart those of joined tables. */
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

/** Some fields of a row, which were selected with a prefix or without. */
export const fieldsOf = <
  N extends string,
  Prefix extends string,
  R extends Readonly<Record<`${Prefix}${N}`, unknown>>,
>(
  row: R,
  names: readonly N[],
  prefix: Prefix,
): { [K in N]: R[`${Prefix}${K}`] } => {
  // A third of the time of `Object.fromEntries`, and a start reads all skills.
  const fields = {} as { [K in N]: R[`${Prefix}${K}`] }
  for (const name of names) fields[name] = row[`${prefix}${name}`]
  return fields
}
