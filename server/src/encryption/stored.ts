import type { Context } from '../context/context.ts'
import { migrateUp } from '../db/migrations/migrate.ts'
import { type Sealed, sealedPrefix } from '../secrets/encryption.ts'
import { deleteKeyIds, holdKeyIds, insertKeyId, listKeyIds } from './store/keys.ts'
import { listTexts, replaceText, type SealedText, sealedColumns } from './store/sealed-columns.ts'

/** Rows of one transaction: small, so that no request waits long for its turn to write. */
const batch = 500

/**
 * Brings the schema up to date and checks that the known keys open what the database holds. Gives the
 * migrations that were applied. Throws a sentence that names ENCRYPTION_KEY if a key is missing.
 */
export async function prepareDatabase({
  clock,
  db,
  encryption,
}: Pick<Context, 'clock' | 'db' | 'encryption'>): Promise<string[]> {
  const applied = await migrateUp(db)
  await db.write(async (trx) => {
    const missing = (await holdKeyIds(trx)).filter((id) => !encryption.keyIds.includes(id))
    if (missing.length > 0) {
      throw new Error(
        `ENCRYPTION_KEY is another than the one that this database was sealed with (key ${missing.join(', ')}; given: ${encryption.keyIds.join(', ')}). Set that one as ENCRYPTION_KEY, or append it with a comma to rotate it.`,
      )
    }
    await insertKeyId(trx, encryption.keyId, clock.now())
  })
  return applied
}

/**
 * Seals under the current key what was sealed with another, while servers go on; gives how many texts
 * these were. Afterwards the other keys are not needed.
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
