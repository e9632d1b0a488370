import type { ExpressionBuilder } from 'kysely'
import {
  columnsOf,
  countRows,
  type Db,
  type Fields,
  hasRow,
  preparedFirst,
  toRow,
} from '../../db/query.ts'
import type { Schema, Visibility } from '../../db/schema.ts'
import { usernameSkeleton } from '../../text/skeleton.ts'
import { isShown, touchOneSkill } from './revision.ts'

export const repositoryFields = [
  ...(['id', 'agentId', 'owner', 'name', 'starCount', 'upstreamStars'] as const),
  ...(['downloadCount', 'verifiedAs', 'visibility'] as const),
] as const

export type RepositoryRecord = Pick<Fields<'repositories'>, (typeof repositoryFields)[number]>

/** Returns the id of the owner whose members alone may read a repository. Undefined if public. */
export const scopeOf = ({
  visibility,
  agentId,
}: Pick<RepositoryRecord, 'visibility' | 'agentId'>): string | undefined =>
  visibility === 'private' ? agentId : undefined

const columns = columnsOf('repositories', repositoryFields)

export const findRepository = (db: Db, id: string) =>
  db.selectFrom('repositories').select(columns).where('id', '=', id).executeTakeFirst()

/** Returns the repository at this address, compared case-insensitively. */
export const findRepositoryAt = (db: Db, owner: string, name: string) =>
  byAddress(db, { ownerKey: owner.toLowerCase(), nameKey: name.toLowerCase() })

const byAddress = preparedFirst((db, at: { ownerKey: string; nameKey: string }) =>
  db
    .selectFrom('repositories')
    .select(columns)
    .where((eb) => eb.and({ owner_key: at.ownerKey, name_key: at.nameKey })),
)

export interface OwnRepository extends RepositoryRecord {
  createdAt: number
  /** Number of skills that readers can see. */
  skillCount: number
}

const selectOwn = (db: Db) =>
  db
    .selectFrom('repositories')
    .select(columns)
    .select('repositories.created_at as createdAt')
    .select((eb) =>
      eb
        .selectFrom('skills')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('skills.repository_id', '=', 'repositories.id')
        .where(isShown)
        .$asScalar()
        .$notNull()
        .as('skillCount'),
    )

export const findOwnRepository = (db: Db, id: string): Promise<OwnRepository | undefined> =>
  selectOwn(db).where('repositories.id', '=', id).executeTakeFirst()

/** Agents and organizations whose private repositories somebody may read, or only one of these. */
export interface ReadableOwners {
  readonly owners: readonly string[]
  readonly repositoryId?: string | undefined
}

/** Owners, and the owner's name in the address if given. */
interface Owners extends ReadableOwners {
  readonly owner?: string | undefined
}

/** Selects the ids of an owner's repositories that somebody may read. */
export const selectReadableIds = (db: Db, ownerId: string, reader: ReadableOwners) =>
  db
    .selectFrom('repositories')
    .select('repositories.id')
    .where('agent_id', '=', ownerId)
    .where((eb) => eb.or([eb('visibility', '=', 'public'), isOf(reader)(eb)]))

export const listOwnRepositories = (
  db: Db,
  { start, limit, ...of }: Owners & { start: number; limit: number },
): Promise<OwnRepository[]> =>
  selectOwn(db)
    .where(isOf(of))
    .orderBy('repositories.created_at', 'desc')
    .orderBy('repositories.id')
    .limit(limit)
    .offset(start)
    .execute()

const given = ['id', 'agentId', 'owner', 'name', 'visibility', 'createdAt'] as const

type NewRepository = Pick<Fields<'repositories'>, (typeof given)[number]> & {
  /** Stars imported from the repository's host. */
  upstreamStars?: number
}

/** Inserts a repository. Returns false if the address is taken. */
export async function insertRepository(trx: Db, repository: NewRepository): Promise<boolean> {
  const stars = repository.upstreamStars ?? 0
  const insert = trx
    .insertInto('repositories')
    .values({
      ...toRow(repository, given),
      owner_skeleton: usernameSkeleton(repository.owner),
      owner_key: repository.owner.toLowerCase(),
      name_key: repository.name.toLowerCase(),
      upstream_stars: stars,
      star_count: stars,
    })
    .onConflict((conflict) => conflict.columns(['owner_key', 'name_key']).doNothing())
  return hasRow(insert.returning('id'))
}

/** Returns the repository at an address, of any agent. Creates a missing one. */
export async function ensureRepository(
  trx: Db,
  repository: NewRepository,
): Promise<RepositoryRecord> {
  const { owner, name } = repository
  const known = await findRepositoryAt(trx, owner, name)
  if (known) return known
  await insertRepository(trx, repository)
  const found = await findRepositoryAt(trx, owner, name)
  if (!found) throw new Error(`repository ${owner}/${name} vanished`)
  return found
}

/** Sets the imported stars and touches one skill, so that other processes read the change. */
export async function setUpstreamStars(trx: Db, id: string, stars: number, revision: number) {
  const changed = await trx
    .updateTable('repositories')
    .set((eb) => ({
      star_count: eb('star_count', '+', eb(eb.val(stars), '-', eb.ref('upstream_stars'))),
      upstream_stars: stars,
    }))
    .where('id', '=', id)
    .where('upstream_stars', '<>', stars)
    .returning('id')
    .executeTakeFirst()
  if (changed) await touchOneSkill(trx, 'repository_id', id, revision)
}

/** Returns whether a repository has this owner. Agents cannot register such a name. */
export const ownerExists = (db: Db, owner: string) =>
  hasRow(
    db
      .selectFrom('repositories')
      .select('id')
      .where('owner_key', '=', owner.toLowerCase())
      .limit(1),
  )

export const ownerLooksLike = preparedFirst((db, { ownerSkeleton }: { ownerSkeleton: string }) =>
  db.selectFrom('repositories').select('id').where('owner_skeleton', '=', ownerSkeleton).limit(1),
)

/** Counts the repositories that `listOwnRepositories` lists. */
export const countOwnRepositories = (db: Db, of: Owners) =>
  countRows(db.selectFrom('repositories').where(isOf(of)))

const isOf =
  ({ owners, repositoryId, owner }: Owners) =>
  (eb: ExpressionBuilder<Schema, 'repositories'>) =>
    eb.and([
      eb.or(owners.map((id) => eb('repositories.agent_id', '=', id))),
      ...(repositoryId === undefined ? [] : [eb('repositories.id', '=', repositoryId)]),
      ...(owner === undefined ? [] : [eb('repositories.owner_key', '=', owner.toLowerCase())]),
    ])

/** Changes who can read a repository, and the revision of its skills. */
export async function setVisibility(
  trx: Db,
  id: string,
  visibility: Visibility,
  revision: number,
): Promise<void> {
  await trx.updateTable('repositories').set({ visibility }).where('id', '=', id).execute()
  await trx
    .updateTable('skills')
    .set({ revision })
    .where((eb) => eb.and({ repository_id: id, deleted_at: null }))
    .execute()
}

export const countRepositoriesOfOwner = (db: Db, owner: string) =>
  countRows(db.selectFrom('repositories').where('owner_key', '=', owner.toLowerCase()))

/**
 * Marks an agent as the only verified owner of a domain. Touches one skill of each affected agent,
 * so that other processes read the change.
 */
export async function markAgentVerified(
  trx: Db,
  agentId: string,
  domain: string,
  revision: number,
): Promise<void> {
  const former = await trx
    .updateTable('agents')
    .set({ verified_as: null })
    .where('verified_as', '=', domain)
    .where('id', '<>', agentId)
    .returning('id')
    .execute()
  await trx.updateTable('agents').set({ verified_as: domain }).where('id', '=', agentId).execute()
  for (const { id } of [...former, { id: agentId }]) {
    await touchOneSkill(trx, 'agent_id', id, revision)
  }
}

/**
 * Transfers all repositories of an owner, or the one named, to an agent with their skills. Deletes
 * signatures of other publishers. Returns the ids of the repositories.
 */
export async function transferRepositories(
  trx: Db,
  {
    owner,
    name,
    agentId,
    subject,
  }: { owner: string; name?: string | undefined; agentId: string; subject: string },
  revision: number,
): Promise<string[]> {
  let taking = trx
    .updateTable('repositories')
    .set({ agent_id: agentId, verified_as: subject })
    .where('owner_key', '=', owner.toLowerCase())
  if (name !== undefined) taking = taking.where('name_key', '=', name.toLowerCase())
  const taken = await taking.returning('id').execute()
  for (const { id } of taken) {
    await trx
      .deleteFrom('version_signatures')
      .where('skill_id', 'in', (eb) =>
        eb
          .selectFrom('skills')
          .select('id')
          .where('repository_id', '=', id)
          .where('agent_id', '<>', agentId),
      )
      .execute()
    await trx
      .updateTable('skills')
      .set({ agent_id: agentId, revision })
      .where((eb) => eb.and({ repository_id: id, deleted_at: null }))
      .execute()
  }
  return taken.map(({ id }) => id)
}
