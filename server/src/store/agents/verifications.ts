import { columnsOf, countRows, type Db, type Fields, toRow } from '../../db/query.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

const claimed = ['id', 'method', 'owner', 'subject', 'location', 'createdAt', 'expiresAt'] as const
const fields = [...claimed, 'tokenHash', 'verifiedAt'] as const

/** A claim of an agent. Times are milliseconds since 1970. */
export type VerificationRecord = Pick<Fields<'verifications'>, (typeof fields)[number]>

const ofAgent = (db: Db, agentId: string) =>
  db
    .selectFrom('verifications')
    .select(columnsOf('verifications', fields))
    .where('agent_id', '=', agentId)

/** Inserts a claim, and replaces the agent's unverified claim on the same subject. */
export async function insertVerification(
  trx: Db,
  agentId: string,
  claim: Omit<VerificationRecord, 'verifiedAt' | 'tokenHash'> & { tokenHash: SecretHash },
): Promise<void> {
  const row = { agent_id: agentId, ...toRow(claim, [...claimed, 'tokenHash']) }
  const { agent_id, method, owner, subject } = row
  await trx
    .deleteFrom('verifications')
    .where((eb) => eb.and({ agent_id, method, owner, subject, verified_at: null }))
    .execute()
  await trx.insertInto('verifications').values(row).execute()
}

export const countPending = (trx: Db, agentId: string, now: number) =>
  countRows(
    trx
      .selectFrom('verifications')
      .where((eb) => eb.and({ agent_id: agentId, verified_at: null }))
      .where('expires_at', '>', now),
  )

export const findVerifications = (db: Db, agentId: string): Promise<VerificationRecord[]> =>
  ofAgent(db, agentId).orderBy('created_at', 'desc').orderBy('id').execute()

export const findVerification = (db: Db, agentId: string, id: string) =>
  ofAgent(db, agentId).where('id', '=', id).executeTakeFirst()

/**
 * Marks a claim as verified and deletes other agents' claims on the same subject. Returns false if
 * the claim no longer exists.
 */
export async function markVerified(
  trx: Db,
  agentId: string,
  { id, method, owner, subject }: Pick<VerificationRecord, 'id' | 'method' | 'owner' | 'subject'>,
  now: number,
): Promise<boolean> {
  const row = await trx
    .updateTable('verifications')
    .set({ verified_at: now })
    .where((eb) => eb.and({ id, verified_at: null }))
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await trx
    .deleteFrom('verifications')
    .where((eb) => eb.and({ method, owner, subject }))
    .where('agent_id', '<>', agentId)
    .where('verified_at', 'is not', null)
    .execute()
  return true
}
