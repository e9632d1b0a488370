import { columnsOf, type Db, type Fields, hasRow, toRow } from '../../db/query.ts'

const fields = ['address', 'publicKey', 'value', 'filesDigest'] as const

/** A version's signature and the signed address. Key and value are Base64. */
export type SignatureRecord = Pick<Fields<'version_signatures'>, (typeof fields)[number]>

export async function findSigningKey(db: Db, agentId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('signing_keys')
    .select('public_key')
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  return row?.public_key
}

/** Inserts an agent's signing key. Returns false if the agent already has one. */
export const insertSigningKey = (trx: Db, key: Fields<'signing_keys'>) =>
  hasRow(
    trx
      .insertInto('signing_keys')
      .values(toRow(key, ['agentId', 'publicKey', 'createdAt']))
      .onConflict((conflict) => conflict.column('agent_id').doNothing())
      .returning('agent_id'),
  )

/** Deletes a key and all its signatures, including those of skills that changed owners. */
export async function deleteSigningKey(trx: Db, publicKey: string): Promise<void> {
  await trx.deleteFrom('signing_keys').where('public_key', '=', publicKey).execute()
  await trx.deleteFrom('version_signatures').where('public_key', '=', publicKey).execute()
}

/** Sets the revision of all skills that a key has signed. Returns their repository ids. */
export async function touchSignedSkills(trx: Db, publicKey: string, revision: number) {
  const rows = await trx
    .updateTable('skills')
    .set({ revision })
    .where('deleted_at', 'is', null)
    .where('id', 'in', (eb) =>
      eb.selectFrom('version_signatures').select('skill_id').where('public_key', '=', publicKey),
    )
    .returning('repository_id')
    .execute()
  return rows.map((row) => row.repository_id)
}

/** Records a signature as published. Returns false if it was published before, on any skill. */
export const insertPublishedSignature = (trx: Db, value: string) =>
  hasRow(
    trx
      .insertInto('published_signatures')
      .values({ value })
      .onConflict((conflict) => conflict.doNothing())
      .returning('value'),
  )

export const deleteSignatures = (trx: Db, skillId: string) =>
  trx.deleteFrom('version_signatures').where('skill_id', '=', skillId).execute()

export async function upsertSignature(
  trx: Db,
  skillId: string,
  version: number,
  signature: SignatureRecord,
): Promise<void> {
  const columns = toRow(signature, fields)
  await trx
    .insertInto('version_signatures')
    .values({ skill_id: skillId, version, ...columns })
    .onConflict((conflict) => conflict.columns(['skill_id', 'version']).doUpdateSet(columns))
    .execute()
}

export async function listSignatures(
  db: Db,
  skillId: string,
): Promise<Map<number, SignatureRecord>> {
  const rows = await db
    .selectFrom('version_signatures')
    .select(columnsOf('version_signatures', ['version', ...fields]))
    .where('skill_id', '=', skillId)
    .execute()
  return new Map(rows.map(({ version, ...signature }) => [version, signature]))
}
