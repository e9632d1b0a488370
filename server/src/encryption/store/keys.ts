import type { Db } from '../../db/open.ts'

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
