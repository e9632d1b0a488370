import type { Context } from '../context/context.ts'
import { migrateUp } from '../db/migrations/migrate.ts'
import { type Encryption, type Sealed, sealedPrefix } from '../secrets/encryption.ts'
import { deleteKeyIds, holdKeyIds, insertKeyId, listKeyIds } from './store/keys.ts'
import {
  listTexts,
  type ProtectedText,
  replaceText,
  sealedColumns,
} from './store/protected-columns.ts'

type Parts = Pick<Context, 'clock' | 'db' | 'encryption'>

/** Rows of one transaction: small, so that no request waits long for its turn to write. */
const batch = 500

/**
 * Brings the schema up to date and checks that the known keys open what the database holds. Gives the
 * migrations that were applied. Throws a sentence that names ENCRYPTION_KEY if a key is missing.
 */
export async function prepareDatabase({ db, encryption, clock }: Parts): Promise<string[]> {
  const applied = await migrateUp(db)
  await db.write(async (trx) => {
    requireKeys(encryption, await holdKeyIds(trx))
    await insertKeyId(trx, encryption.keyId, clock.now())
  })
  return applied
}

/**
 * Seals under the current key what was sealed with another, while servers go on; gives how many texts
 * these were. From then on the other keys are needed no more.
 */
export async function rotateKeys({ db, encryption }: Pick<Context, 'db' | 'encryption'>) {
  const retired = (await listKeyIds(db.read)).filter((id) => id !== encryption.keyId)
  let rotated = 0
  for (const column of sealedColumns) {
    const { purpose } = column
    const seal = ({ row, text }: ProtectedText) =>
      encryption.seal(purpose, row, encryption.open(purpose, row, text as Sealed))
    const choice = { without: sealedPrefix(encryption.keyId), limit: batch }
    let after: ProtectedText['key'] | undefined
    for (;;) {
      const found = await listTexts(db.read, column, { ...choice, after })
      await db.write(async (trx) => {
        for (const text of found) await replaceText(trx, column, text, seal(text))
      })
      rotated += found.length
      after = found.at(-1)?.key
      if (found.length < batch) break
    }
  }
  await db.write((trx) => deleteKeyIds(trx, retired))
  return { rotated, keyId: encryption.keyId, retired }
}

/** Refuses to go on without a key that texts may be sealed with. */
function requireKeys({ keyIds }: Encryption, held: readonly string[]): void {
  const missing = held.filter((id) => !keyIds.includes(id))
  if (missing.length === 0) return
  throw new Error(
    `ENCRYPTION_KEY is another than the one that this database was sealed with (key ${missing.join(', ')}; given: ${keyIds.join(', ')}). Set that one as ENCRYPTION_KEY, or in ENCRYPTION_KEY_PREVIOUS to rotate it.`,
  )
}
