import {
  columnsOf,
  countRows,
  type Db,
  type Fields,
  isPostgres,
  preparedFirst,
  toRow,
  valuesOf,
} from '../../db/query.ts'
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

/** Whether the API key of a caller works for a repository or an owner. */
export const isWithinLimit = (
  { limitOwnerId, limitRepositoryId }: LimitedCaller,
  { id, agentId }: Owned,
): boolean =>
  (limitOwnerId ?? agentId) === agentId && (limitRepositoryId === null || limitRepositoryId === id)

/**
 * Returns the role of a caller for a repository or an owner, or undefined. An API key has none
 * outside of its limit. In a transaction, a removal of the member waits for its end.
 */
export async function findRole(
  trx: Db,
  caller: LimitedCaller,
  owned: Owned,
): Promise<MemberRole | undefined> {
  return isWithinLimit(caller, owned) ? findMemberRole(trx, caller.id, owned.agentId) : undefined
}

const lockMember = preparedFirst((db, at: { agentId: string; ownerId: string }) => {
  const member = db
    .selectFrom('members')
    .select('role')
    .where((eb) => eb.and({ organization_id: at.ownerId, agent_id: at.agentId }))
  return isPostgres(db) ? member.forShare() : member
})

/** Returns the role of an agent for an owner, whatever its API key is limited to. */
export const findMemberRole = async (
  db: Db,
  agentId: string,
  ownerId: string,
): Promise<MemberRole | undefined> =>
  agentId === ownerId ? 'owner' : (await lockMember(db, { agentId, ownerId }))?.role

/** Returns the memberships of agents, each as `AGENT ORGANIZATION`. */
export async function findMembershipsOf(db: Db, agentIds: readonly string[]) {
  if (agentIds.length === 0) return new Set<string>()
  const rows = db.selectFrom('members').select(columnsOf('members', keyFields))
  const found = await rows.where('agent_id', 'in', [...agentIds]).execute()
  return new Set(found.map(({ agentId, organizationId }) => `${agentId} ${organizationId}`))
}

/** Lists the ids of an organization's owners. */
export const listOwnerIds = (db: Db, organizationId: string): Promise<string[]> =>
  valuesOf(
    db
      .selectFrom('members')
      .select('agent_id as id')
      .where((eb) => eb.and({ organization_id: organizationId, role: 'owner' })),
    'id',
  )

export const insertMember = (trx: Db, member: MemberRecord) =>
  trx
    .insertInto('members')
    .values(toRow(member, fields))
    .onConflict((conflict) => conflict.doNothing())
    .returning('role')
    .executeTakeFirst()

/** Lists the members of an organization, or the one with a username, by username. */
export const listMembers = (db: Db, organizationId: string, username?: string) =>
  db
    .selectFrom('members')
    .innerJoin('agents', 'agents.id', 'members.agent_id')
    .select(['agents.id', 'agents.username', 'members.role', 'members.created_at as createdAt'])
    .where('organization_id', '=', organizationId)
    .$if(username !== undefined, (query) => query.where('agents.username', '=', username ?? ''))
    .orderBy('agents.username')
    .execute()

type MemberKey = Pick<MemberRecord, 'organizationId' | 'agentId'>

export const updateRole = (trx: Db, key: MemberKey, role: MemberRole) =>
  trx
    .updateTable('members')
    .set({ role })
    .where((eb) => eb.and(toRow(key, keyFields)))
    .execute()

/** Removes a member. On Postgres, waits for the writes that have read its role. */
export const deleteMember = (trx: Db, key: MemberKey) =>
  trx
    .deleteFrom('members')
    .where((eb) => eb.and(toRow(key, keyFields)))
    .execute()

const keyFields = ['organizationId', 'agentId'] as const

/** Counts the owners of an organization, or the organizations that an agent owns. */
export const countOwners = (db: Db, of: Partial<MemberKey>) =>
  countRows(
    db.selectFrom('members').where((eb) =>
      eb.and({
        role: 'owner',
        ...(of.organizationId !== undefined && { organization_id: of.organizationId }),
        ...(of.agentId !== undefined && { agent_id: of.agentId }),
      }),
    ),
  )
