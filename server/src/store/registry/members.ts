import { columnsOf, type Db, type Fields, isPostgres, preparedFirst } from '../../db/query.ts'
import type { MemberRole } from '../../db/schema.ts'

export type { MemberRole, Visibility } from '../../db/schema.ts'

const fields = ['organizationId', 'agentId', 'role', 'createdAt'] as const

/** A member of an organization. Times are milliseconds since 1970. */
export type MemberRecord = Pick<Fields<'members'>, (typeof fields)[number]>

/** Lists the organizations that an agent belongs to. */
export const listMemberships = (db: Db, agentId: string): Promise<MemberRecord[]> =>
  db
    .selectFrom('members')
    .select(columnsOf('members', fields))
    .where('agent_id', '=', agentId)
    .execute()

/**
 * Returns the role of an agent for an owner, which is the agent itself or an organization, or
 * undefined. In a transaction, a removal of the member waits for its end.
 */
export async function findRole(
  trx: Db,
  agentId: string,
  ownerId: string,
): Promise<MemberRole | undefined> {
  if (agentId === ownerId) return 'owner'
  return (await lockMember(trx, { agentId, ownerId }))?.role
}

const lockMember = preparedFirst((db, at: { agentId: string; ownerId: string }) => {
  const member = db
    .selectFrom('members')
    .select('role')
    .where((eb) => eb.and({ organization_id: at.ownerId, agent_id: at.agentId }))
  return isPostgres(db) ? member.forShare() : member
})
