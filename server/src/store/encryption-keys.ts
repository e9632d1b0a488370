import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { SealedPurpose } from '../secrets/encryption.ts'

/** Returns the ids of all keys that may encrypt texts of this database. */
export async function listKeyIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('encryption_keys').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Lists the key ids and locks them for the transaction. */
export async function lockKeyIds(trx: Db): Promise<string[]> {
  await trx
    .updateTable('schema_lock')
    .set((eb) => ({ taken: eb('taken', '+', 1) }))
    .execute()
  return listKeyIds(trx)
}

/** Records that texts may be encrypted under a key. */
export const insertKeyId = (trx: Db, id: string, now: number) =>
  trx
    .insertInto('encryption_keys')
    .values({ id, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Records that no text is encrypted under these keys any more. */
export async function deleteKeyIds(trx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx.deleteFrom('encryption_keys').where('id', 'in', ids).execute()
}

interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The unique column by which rows are ordered. */
  readonly key: string
  /** The column whose value is bound to the text. */
  readonly row: string
  readonly purpose: SealedPurpose
}

const app = { table: 'apps', key: 'id', row: 'id', purpose: 'webhook-secret' } as const

export const sealedColumns: readonly SealedColumn[] = [
  { ...app, column: 'webhook_secret' },
  { ...app, column: 'previous_webhook_secret' },
  { ...app, table: 'organization_webhooks', column: 'secret' },
  { table: 'consent_requests', column: 'state', key: 'key', row: 'key', purpose: 'oauth-state' },
  { table: 'meetings', column: 'password', key: 'id', row: 'uuid', purpose: 'passcode' },
  { table: 'mirrors', column: 'api_key', key: 'id', row: 'id', purpose: 'mirror-key' },
]

export interface SealedText {
  readonly key: string | number
  readonly row: string
  readonly text: string
}

/** Returns up to `limit` texts that do not start with `prefix`, ordered by key, after `after`. */
export async function listTexts(
  db: Db,
  { table, column, key, row }: SealedColumn,
  choice: { prefix: string; after: string | number | undefined; limit: number },
): Promise<SealedText[]> {
  const { prefix, after, limit } = choice
  const rest = after === undefined ? sql`true` : sql`${sql.ref(key)} > ${after}`
  const { rows } = await sql<SealedText>`
    select ${sql.ref(key)} as "key", ${sql.ref(row)} as "row", ${sql.ref(column)} as "text"
    from ${sql.table(table)}
    where substr(${sql.ref(column)}, 1, ${sql.lit(prefix.length)}) <> ${prefix} and ${rest}
    order by ${sql.ref(key)} limit ${limit}`.execute(db)
  return rows
}

/** Replaces a text unless it has changed. */
export const replaceText = (
  trx: Db,
  { table, column, key }: SealedColumn,
  former: SealedText,
  next: string,
) =>
  sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${next}
    where ${sql.ref(key)} = ${former.key} and ${sql.ref(column)} = ${former.text}`.execute(trx)
