import { type Db, type Fields, toRow } from '../../db/query.ts'
import { usernameSkeleton } from '../../text/skeleton.ts'
import type { AgentRecord } from '../agents/agents.ts'
import type { RepositoryRecord } from '../registry/repositories.ts'

const fields = ['id', 'repositoryId', 'toId', 'requestedBy', 'createdAt', 'expiresAt'] as const

/** Stores a transfer. Replaces an earlier one of the repository. Times are in ms since 1970. */
export async function insertTransfer(trx: Db, transfer: Fields<'transfers'>): Promise<void> {
  await trx
    .deleteFrom('transfers')
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', transfer.createdAt),
        eb('repository_id', '=', transfer.repositoryId),
      ]),
    )
    .execute()
  await trx.insertInto('transfers').values(toRow(transfer, fields)).execute()
}

const select = (db: Db, now: number) =>
  db
    .selectFrom('transfers')
    .innerJoin('repositories', 'repositories.id', 'transfers.repository_id')
    .innerJoin('agents', 'agents.id', 'transfers.to_id')
    .select(['transfers.id', 'transfers.to_id as toId', 'transfers.repository_id as repoId'])
    .select(['repositories.agent_id as fromId', 'repositories.owner', 'repositories.name'])
    .select('transfers.requested_by as requestedBy')
    .select(['agents.username as to'])
    .select(['transfers.created_at as createdAt', 'transfers.expires_at as expiresAt'])
    .where('transfers.expires_at', '>', now)

/** Returns a pending transfer. */
export const findTransfer = (db: Db, id: string, now: number) =>
  select(db, now).where('transfers.id', '=', id).executeTakeFirst()

/** Lists the pending transfers to and from some owners, newest first. */
export const listTransfers = (db: Db, owners: readonly string[], now: number) =>
  select(db, now)
    .where((eb) =>
      eb.or([eb('transfers.to_id', 'in', owners), eb('repositories.agent_id', 'in', owners)]),
    )
    .orderBy('transfers.created_at', 'desc')
    .orderBy('transfers.id')
    .execute()

export const deleteTransfer = (trx: Db, id: string) =>
  trx.deleteFrom('transfers').where('id', '=', id).execute()

/**
 * Gives a repository with its skills to another owner under its name, and records the redirect. Ends
 * signatures, which cover the address, and what the former owner allowed to publish there.
 */
export async function moveRepository(
  trx: Db,
  { id, owner, name }: RepositoryRecord,
  to: Pick<AgentRecord, 'id' | 'username'>,
  { now, revision }: { now: number; revision: number },
): Promise<void> {
  const [name_key, skills] = [
    name.toLowerCase(),
    trx.selectFrom('skills').select('id').where('repository_id', '=', id),
  ]
  await trx.deleteFrom('version_signatures').where('skill_id', 'in', skills).execute()
  await trx.deleteFrom('trusted_publishers').where('repository_id', '=', id).execute()
  await trx
    .updateTable('repositories')
    .set({ agent_id: to.id, owner: to.username, owner_key: to.username, verified_as: null })
    .set({ owner_skeleton: usernameSkeleton(to.username) })
    .where('id', '=', id)
    .execute()
  await trx
    .updateTable('skills')
    .set({ agent_id: to.id, revision })
    .where((eb) => eb.and({ repository_id: id, deleted_at: null }))
    .execute()
  const former = { repository_id: id, moved_at: now }
  await trx
    .insertInto('moved_repositories')
    .values({ owner_key: owner.toLowerCase(), name_key, ...former })
    .onConflict((conflict) => conflict.columns(['owner_key', 'name_key']).doUpdateSet(former))
    .execute()
}

/**
 * Returns the repository that moved away from an address after `since`, ignoring case, unless the
 * former owner has made another one there.
 */
export const findMovedRepository = (
  db: Db,
  { owner, repo, since }: { owner: string; repo: string; since: number },
) =>
  db
    .selectFrom('moved_repositories')
    .innerJoin('repositories', 'repositories.id', 'moved_repositories.repository_id')
    .select(['repositories.owner', 'repositories.name'])
    .where('moved_repositories.owner_key', '=', owner.toLowerCase())
    .where('moved_repositories.name_key', '=', repo.toLowerCase())
    .where('moved_at', '>', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('repositories as newer')
            .select('newer.id')
            .whereRef('newer.owner_key', '=', 'moved_repositories.owner_key')
            .whereRef('newer.name_key', '=', 'moved_repositories.name_key'),
        ),
      ),
    )
    .executeTakeFirst()
