import type { Db } from '../../db/open.ts'

/** Returns the key for hashing passages of readmes. It is below 2^31 and differs per database. */
export async function passageKey(db: Db): Promise<number> {
  const row = db.selectFrom('registry_revision').select('passage_key').where('id', '=', 1)
  return (await row.executeTakeFirstOrThrow()).passage_key
}
