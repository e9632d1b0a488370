import { columnsOf, type Db, type Fields, toRow } from '../../db/query.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

const fields = [
  ...(['id', 'organizationId', 'agentId', 'role'] as const),
  ...(['createdBy', 'createdAt', 'expiresAt'] as const),
] as const

/** An invitation. Times are milliseconds since 1970. */
export type InvitationRecord = Pick<Fields<'invitations'>, (typeof fields)[number]>

/** Stores an invitation. Replaces an earlier one of the same agent, and deletes expired ones. */
export async function insertInvitation(
  trx: Db,
  invitation: InvitationRecord & { codeHash: SecretHash | null },
): Promise<void> {
  const { organizationId, agentId, createdAt } = invitation
  await trx
    .deleteFrom('invitations')
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', createdAt),
        eb.and([eb('organization_id', '=', organizationId), eb('agent_id', '=', agentId)]),
      ]),
    )
    .execute()
  await trx
    .insertInto('invitations')
    .values(toRow(invitation, [...fields, 'codeHash']))
    .execute()
}

const select = (db: Db, now: number) =>
  db
    .selectFrom('invitations')
    .leftJoin('agents as organization', 'organization.id', 'invitations.organization_id')
    .leftJoin('agents as invited', 'invited.id', 'invitations.agent_id')
    .select(columnsOf('invitations', fields))
    .select(['organization.username as organization', 'invited.username as username'])
    .where('expires_at', '>', now)

/** Lists the pending invitations of an organization or to an agent, newest first. */
export const listInvitations = (
  db: Db,
  [column, id]: ['organization_id' | 'agent_id', string],
  now: number,
) =>
  select(db, now)
    .where(`invitations.${column}`, '=', id)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.id')
    .execute()

/** Returns the pending invitation with an id or with a code. */
export const findInvitation = (
  db: Db,
  [column, value]: ['id', string] | ['code_hash', SecretHash],
  now: number,
) => select(db, now).where(`invitations.${column}`, '=', value).executeTakeFirst()

export const deleteInvitation = (trx: Db, id: string) =>
  trx.deleteFrom('invitations').where('id', '=', id).execute()
