import type { Context } from '../context/context.ts'
import { migrateUp } from '../db/migrations/migrate.ts'
import { type Sealed, sealedPrefix } from '../secrets/encryption.ts'
import {
  deleteKeyIds,
  insertKeyId,
  listKeyIds,
  listTexts,
  lockKeyIds,
  replaceText,
  type SealedText,
  sealedColumns,
} from './store/keys.ts'

/** Rows updated per transaction. A small batch does not hold up other writes. */
const batch = 500

/**
 * Migrates the schema and checks that the keys can decrypt the database. Returns the applied
 * migrations. Throws an error that names ENCRYPTION_KEY if a key is missing.
 */
export async function prepareDatabase({
  clock,
  db,
  encryption,
}: Pick<Context, 'clock' | 'db' | 'encryption'>): Promise<string[]> {
  const applied = await migrateUp(db)
  await db.write(async (trx) => {
    const missing = (await lockKeyIds(trx)).filter((id) => !encryption.keyIds.includes(id))
    if (missing.length > 0) {
      throw new Error(
        `ENCRYPTION_KEY does not include the key that encrypts this database (key ${missing.join(', ')}; set: ${encryption.keyIds.join(', ')}). Set ENCRYPTION_KEY to that key. To rotate keys, set it to the new key, a comma and that key.`,
      )
    }
    await insertKeyId(trx, encryption.keyId, clock.now())
  })
  return applied
}

/**
 * Re-encrypts all texts under the current key. Servers may run meanwhile. Afterwards, the other
 * keys (`retired`) are no longer needed.
 */
export async function rotateKeys({ db, encryption }: Pick<Context, 'db' | 'encryption'>) {
  const retired = (await listKeyIds(db.read)).filter((id) => id !== encryption.keyId)
  let rotated = 0
  for (const column of sealedColumns) {
    const { purpose } = column
    let after: SealedText['key'] | undefined
    for (;;) {
      const prefix = sealedPrefix(encryption.keyId)
      const found = await listTexts(db.read, column, { prefix, after, limit: batch })
      await db.write(async (trx) => {
        for (const text of found) {
          const plain = encryption.open(purpose, text.row, text.text as Sealed)
          await replaceText(trx, column, text, encryption.seal(purpose, text.row, plain))
        }
      })
      rotated += found.length
      after = found.at(-1)?.key
      if (found.length < batch) break
    }
  }
  await db.write((trx) => deleteKeyIds(trx, retired))
  return { rotated, keyId: encryption.keyId, retired }
}
