import type { Db } from '../../db/open.ts'

/** Ids of the keys that texts of this database may be sealed with. */
export async function listKeyIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('encryption_keys').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Lists the key ids in a transaction that goes on to change them: a second one waits. */
export async function holdKeyIds(trx: Db): Promise<string[]> {
  await trx
    .updateTable('schema_lock')
    .set((eb) => ({ taken: eb('taken', '+', 1) }))
    .execute()
  return listKeyIds(trx)
}

/** Notes that texts may be sealed with a key. */
export async function insertKeyId(trx: Db, id: string, now: number): Promise<void> {
  await trx
    .insertInto('encryption_keys')
    .values({ id, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Notes that no text is sealed with any of these keys any more. */
export async function deleteKeyIds(trx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx.deleteFrom('encryption_keys').where('id', 'in', ids).execute()
}
