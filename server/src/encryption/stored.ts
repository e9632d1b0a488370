import type { Context } from '../context/context.ts'
import { migrateUp } from '../db/migrations/migrate.ts'
import { type Encryption, type Sealed, sealedPrefix } from '../secrets/encryption.ts'
import { deleteKeyIds, holdKeyIds, insertKeyId, listKeyIds, plainMark } from './store/keys.ts'
import {
  listTexts,
  matchedColumns,
  type ProtectedText,
  plainPrefix,
  replaceText,
  sealedColumns,
} from './store/protected-columns.ts'

type Parts = Pick<Context, 'clock' | 'db' | 'encryption'> & Partial<Pick<Context, 'log'>>

/** Rows of one transaction: small, so that no request waits long for its turn to write. */
const batch = 500

/**
 * Brings the schema up to date, checks that the known keys open what the database holds, and seals what
 * it still holds in plain. Gives the migrations that were applied. Throws a sentence that names
 * ENCRYPTION_KEY where a key is missing.
 */
export async function prepareDatabase(ctx: Parts): Promise<string[]> {
  const applied = await migrateUp(ctx.db)
  const ids = await ctx.db.write(async (trx) => {
    const held = await holdKeyIds(trx)
    requireKeys(ctx.encryption, held)
    await insertKeyId(trx, ctx.encryption.keyId, ctx.clock.now())
    return held
  })
  if (ids.includes(plainMark)) await sealPlain(ctx)
  return applied
}

/**
 * Seals under the current key what was sealed with another, while servers go on; gives how many texts
 * these were. From then on the other keys are needed no more.
 */
export async function rotateKeys({ db, encryption }: Pick<Context, 'db' | 'encryption'>) {
  const former = (await listKeyIds(db.read)).filter((id) => id !== encryption.keyId)
  let rotated = 0
  for (const column of sealedColumns) {
    const { purpose } = column
    rotated += await replaceTexts(
      { db },
      column,
      { prefix: sealedPrefix(encryption.keyId), begins: false },
      ({ row, text }) =>
        encryption.seal(purpose, row, encryption.open(purpose, row, text as Sealed)),
    )
  }
  await db.write((trx) => deleteKeyIds(trx, former))
  return { rotated, keyId: encryption.keyId, retired: former }
}

/** Takes the encryption back, as an older version needs it; gives how many texts lie in plain now. */
export async function undoEncryption(ctx: Parts): Promise<number> {
  const { db, encryption, clock } = ctx
  await db.write((trx) => insertKeyId(trx, plainMark, clock.now()))
  let opened = 0
  for (const column of sealedColumns) {
    const { purpose } = column
    opened += await replaceTexts(
      ctx,
      column,
      { prefix: plainPrefix, begins: false },
      ({ row, text }) => plainPrefix + encryption.open(purpose, row, text as Sealed),
    )
  }
  await db.write(async (trx) => deleteKeyIds(trx, [...encryption.keyIds]))
  return opened
}

/** Refuses to go on without a key that texts may be sealed with. */
function requireKeys({ keyIds }: Encryption, held: readonly string[]): void {
  const missing = held.filter((id) => id !== plainMark && !keyIds.includes(id))
  if (missing.length === 0) return
  throw new Error(
    `ENCRYPTION_KEY is another than the one that this database was sealed with (key ${missing.join(', ')}; given: ${keyIds.join(', ')}). Set that one as ENCRYPTION_KEY, or in ENCRYPTION_KEY_PREVIOUS to rotate it.`,
  )
}

/** Seals what was stored before there was encryption, and leaves no trace of it in the file. */
async function sealPlain(ctx: Parts): Promise<void> {
  const { db, encryption } = ctx
  const plain = { prefix: plainPrefix, begins: true }
  const textOf = ({ text }: ProtectedText) => text.slice(plainPrefix.length)
  let sealed = 0
  for (const column of sealedColumns) {
    sealed += await replaceTexts(ctx, column, plain, (found) =>
      encryption.seal(column.purpose, found.row, textOf(found)),
    )
  }
  for (const column of matchedColumns) {
    sealed += await replaceTexts(ctx, column, plain, (found) =>
      encryption.match(column.purpose, textOf(found)),
    )
  }
  if (sealed > 0) {
    await db.scrub().catch((error: unknown) => {
      ctx.log?.warn(
        { err: error },
        'the database could not be vacuumed: traces of secrets may stay',
      )
    })
  }
  await db.write((trx) => deleteKeyIds(trx, [plainMark]))
}

/** Replaces the chosen texts of a column, batch by batch; gives how many were found. */
async function replaceTexts(
  { db }: Pick<Context, 'db'>,
  column: Parameters<typeof listTexts>[1],
  choice: { readonly prefix: string; readonly begins: boolean },
  next: (found: ProtectedText) => string,
): Promise<number> {
  let replaced = 0
  let after: ProtectedText['key'] | undefined
  for (;;) {
    const found = await listTexts(db.read, column, { ...choice, after, limit: batch })
    await db.write(async (trx) => {
      for (const text of found) await replaceText(trx, column, text, next(text))
    })
    replaced += found.length
    after = found.at(-1)?.key
    if (found.length < batch) return replaced
  }
}
