import type { Selectable } from 'kysely'
import { type Camel, type Snake, snakeName } from '../runtime/case.ts'
import type { Schema } from './schema.ts'

export { toSnake as toRow } from '../runtime/case.ts'

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
