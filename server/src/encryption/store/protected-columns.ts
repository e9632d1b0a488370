import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { SealedPurpose } from '../../secrets/encryption.ts'

/** A column whose texts are sealed. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** Unique, and what the rows are walked by. */
  readonly key: string
  /** Whose value is bound to the text. */
  readonly row: string
  readonly purpose: SealedPurpose
}

/** Every column that is sealed. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'apps', column: 'webhook_secret', key: 'id', row: 'id', purpose: 'webhook-secret' },
  {
    table: 'apps',
    column: 'previous_webhook_secret',
    key: 'id',
    row: 'id',
    purpose: 'webhook-secret',
  },
  { table: 'consent_requests', column: 'state', key: 'key', row: 'key', purpose: 'oauth-state' },
  { table: 'meetings', column: 'password', key: 'id', row: 'uuid', purpose: 'passcode' },
]

/** A text of a protected column, with what its row is found by. */
export interface ProtectedText {
  readonly key: string | number
  readonly row: string
  readonly text: string
}

/** Texts in the order of their keys after `after`; `without` leaves out those that begin with it. */
export async function listTexts(
  db: Db,
  { table, column, key, row }: SealedColumn,
  choice: {
    readonly without?: string
    readonly after: string | number | undefined
    readonly limit: number
  },
): Promise<ProtectedText[]> {
  const { without = '', after, limit } = choice
  const start = sql`substr(${sql.ref(column)}, 1, ${sql.lit(without.length)})`
  const chosen = without === '' ? sql`true` : sql`${start} <> ${without}`
  const rest = after === undefined ? sql`true` : sql`${sql.ref(key)} > ${after}`
  const { rows } = await sql<ProtectedText>`
    select ${sql.ref(key)} as "key", ${sql.ref(row)} as "row", ${sql.ref(column)} as "text"
    from ${sql.table(table)}
    where ${sql.ref(column)} is not null and ${chosen} and ${rest}
    order by ${sql.ref(key)} limit ${limit}`.execute(db)
  return rows
}

/** Puts another text in the place of one, unless that has changed meanwhile. */
export async function replaceText(
  trx: Db,
  { table, column, key }: SealedColumn,
  former: ProtectedText,
  next: string,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${next}
    where ${sql.ref(key)} = ${former.key} and ${sql.ref(column)} = ${former.text}`.execute(trx)
}
