import { columnsOf, countRows, type Db, type Fields, toRow } from '../../db/query.ts'
import { agentFields } from '../agents/agents.ts'
import { deleteWebhook, listWebhooks } from './webhooks.ts'

const settings = ['displayName', 'defaultVisibility', 'approval'] as const

const fields = [...agentFields, 'createdAt', 'defaultVisibility', 'approval'] as const

/** An organization. Times are milliseconds since 1970. */
export type OrganizationRecord = Pick<Fields<'agents'>, (typeof fields)[number]>

const select = (db: Db) =>
  db
    .selectFrom('agents')
    .select(columnsOf('agents', fields))
    .where((eb) => eb.and({ kind: 'organization', deleted_at: null }))

export const findOrganization = (
  db: Db,
  username: string,
): Promise<OrganizationRecord | undefined> =>
  select(db).where('username', '=', username).executeTakeFirst()

/** Lists the organizations of an agent with its role, by username. */
export const listOrganizationsOf = (db: Db, agentId: string) =>
  select(db)
    .innerJoin('members', 'members.organization_id', 'agents.id')
    .select('members.role')
    .where('members.agent_id', '=', agentId)
    .orderBy('username')
    .execute()

export const updateOrganization = (
  trx: Db,
  id: string,
  changed: Pick<OrganizationRecord, (typeof settings)[number]>,
) => trx.updateTable('agents').set(toRow(changed, settings)).where('id', '=', id).execute()

/** Counts the skills of an owner, also hidden and private ones. */
export const countOwnedSkills = (db: Db, ownerId: string): Promise<number> =>
  countRows(db.selectFrom('skills').where((eb) => eb.and({ agent_id: ownerId, deleted_at: null })))

/**
 * Deletes an organization with what belongs to it, and revokes the keys that are limited to it. Its
 * username stays taken.
 */
export async function markOrganizationDeleted(trx: Db, id: string, now: number): Promise<void> {
  for (const table of ['members', 'invitations', 'mirrors'] as const) {
    await trx.deleteFrom(table).where('organization_id', '=', id).execute()
  }
  await trx.deleteFrom('trusted_publishers').where('owner_id', '=', id).execute()
  await trx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where((eb) => eb.and({ limit_owner_id: id, revoked_at: null }))
    .execute()
  await trx
    .deleteFrom('transfers')
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('to_id', '=', id),
        eb(
          'repository_id',
          'in',
          selectFrom('repositories').select('id').where('agent_id', '=', id),
        ),
      ]),
    )
    .execute()
  for (const webhook of await listWebhooks(trx, id)) await deleteWebhook(trx, id, webhook.id)
  await trx.updateTable('agents').set({ deleted_at: now }).where('id', '=', id).execute()
}
