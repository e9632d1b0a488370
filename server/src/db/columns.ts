/** A field's column: `usedAt` is `used_at`. */
type Column<F extends string> = F extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Column<Rest>}`
    : `_${Lowercase<First>}${Column<Rest>}`
  : F

const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type Selection<T extends string, F extends string> = F extends string
  ? `${T}.${Column<F>} as ${F}`
  : never

/** The selection of a table's columns under the names of a record's fields: `codes.used_at as usedAt`. */
export const columnsOf = <T extends string, F extends string>(
  table: T,
  ...fields: readonly F[]
): Selection<T, F>[] =>
  fields.map((field) => `${table}.${columnOf(field)} as ${field}` as Selection<T, F>)

/** A record's fields as columns of a row, to be inserted or set. */
export const rowOf = <R extends object, F extends keyof R & string>(
  record: R,
  ...fields: readonly F[]
): { [K in F as Column<K>]: R[K] } =>
  Object.fromEntries(fields.map((field) => [columnOf(field), record[field]])) as {
    [K in F as Column<K>]: R[K]
  }
