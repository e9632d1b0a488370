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

/** An agent with what its API key is limited to. */
export interface LimitedCaller {
  readonly id: string
  /** The only owner, an agent or an organization, for which the key works. */
  readonly limitOwnerId: string | null
  readonly limitRepositoryId: string | null
}

export const isLimited = ({ limitOwnerId, limitRepositoryId }: LimitedCaller): boolean =>
  (limitOwnerId ?? limitRepositoryId) !== null

/** What belongs to an agent or an organization: a repository, or the owner itself without `id`. */
interface Owned {
  readonly id?: string
  readonly agentId: string
}

/**
 * Returns the role of a caller for a repository or an owner, or undefined. An API key has none
 * outside of its limit. In a transaction, a removal of the member waits for its end.
 */
export async function findRole(
  trx: Db,
  caller: LimitedCaller,
  { id, agentId: ownerId }: Owned,
): Promise<MemberRole | undefined> {
  if ((caller.limitOwnerId ?? ownerId) !== ownerId) return undefined
  if (caller.limitRepositoryId !== null && caller.limitRepositoryId !== id) return undefined
  if (caller.id === ownerId) return 'owner'
  return (await lockMember(trx, { agentId: caller.id, ownerId }))?.role
}

const lockMember = preparedFirst((db, at: { agentId: string; ownerId: string }) => {
  const member = db
    .selectFrom('members')
    .select('role')
    .where((eb) => eb.and({ organization_id: at.ownerId, agent_id: at.agentId }))
  return isPostgres(db) ? member.forShare() : member
})
