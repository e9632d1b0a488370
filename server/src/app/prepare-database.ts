import { migrateUp } from '../db/migrations/migrate.ts'
import type { OperatorContext } from '../runtime/context.ts'
import * as store from '../store/encryption-keys.ts'

/**
 * Migrates the schema and checks that the keys can decrypt the database. Returns the applied
 * migrations. Throws an error that names ENCRYPTION_KEY if a key is missing.
 */
export async function prepareDatabase({
  clock,
  db,
  encryption,
}: OperatorContext): Promise<string[]> {
  const applied = await migrateUp(db)
  await db.write(async (trx) => {
    const missing = (await store.lockKeyIds(trx)).filter((id) => !encryption.keyIds.includes(id))
    if (missing.length > 0) {
      throw new Error(
        `ENCRYPTION_KEY does not include the key that encrypts this database (key ${missing.join(', ')}; set: ${encryption.keyIds.join(', ')}). Set ENCRYPTION_KEY to that key. To rotate keys, set it to the new key, a comma and that key.`,
      )
    }
    await store.insertKeyId(trx, encryption.keyId, clock.now())
  })
  return applied
}
