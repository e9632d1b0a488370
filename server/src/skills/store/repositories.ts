import { countRows } from '../../db/count-rows.ts'
import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { prepared, preparedFirst } from '../../db/prepared.ts'
import { isShown, raiseOneSkill } from './revision.ts'

/** What a record has of a repository. */
export const repositoryFields = [
  ...(['id', 'agentId', 'owner', 'name', 'starCount', 'upstreamStars'] as const),
  ...(['downloadCount', 'verifiedAs'] as const),
] as const

/** A repository, as skills refer to it. */
export type RepositoryRecord = Pick<Fields<'repositories'>, (typeof repositoryFields)[number]>

const columns = columnsOf('repositories', repositoryFields)

/** The repository with this id. */
export async function findRepository(db: Db, id: string): Promise<RepositoryRecord | undefined> {
  return db.selectFrom('repositories').select(columns).where('id', '=', id).executeTakeFirst()
}

/** The repository at this address, compared without case. */
export async function findRepositoryAt(
  db: Db,
  owner: string,
  name: string,
): Promise<RepositoryRecord | undefined> {
  const [row] = await byAddress(db, {
    ownerKey: owner.toLowerCase(),
    nameKey: name.toLowerCase(),
  })
  return row
}

const byAddress = prepared((db, at: { ownerKey: string; nameKey: string }) =>
  db
    .selectFrom('repositories')
    .select(columns)
    .where('owner_key', '=', at.ownerKey)
    .where('name_key', '=', at.nameKey),
)

/** A repository as its own agent sees it. */
export interface OwnRepository extends RepositoryRecord {
  createdAt: number
  /** Skills in it that readers find. */
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

/** A repository with its numbers, whoever it belongs to. */
export const findOwnRepository = (db: Db, id: string): Promise<OwnRepository | undefined> =>
  selectOwn(db).where('repositories.id', '=', id).executeTakeFirst()

/** A page of the repositories of an agent, newest first. */
export const listOwnRepositories = (
  db: Db,
  agentId: string,
  { start, limit }: { start: number; limit: number },
): Promise<OwnRepository[]> =>
  selectOwn(db)
    .where('repositories.agent_id', '=', agentId)
    .orderBy('repositories.created_at', 'desc')
    .orderBy('repositories.id')
    .limit(limit)
    .offset(start)
    .execute()

export interface NewRepository {
  id: string
  agentId: string
  owner: string
  name: string
  createdAt: number
  /** What the owner looks like. */
  ownerSkeleton: string
  /** Stars that the repository brings along. */
  upstreamStars?: number
}

/** Keeps a new repository; false where the address is taken. */
export async function insertRepository(trx: Db, given: NewRepository): Promise<boolean> {
  const stars = given.upstreamStars ?? 0
  const row = await trx
    .insertInto('repositories')
    .values({
      ...toRow(given, ['id', 'agentId', 'owner', 'name', 'ownerSkeleton', 'createdAt']),
      owner_key: given.owner.toLowerCase(),
      name_key: given.name.toLowerCase(),
      upstream_stars: stars,
      star_count: stars,
    })
    .onConflict((conflict) => conflict.columns(['owner_key', 'name_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The repository at an address, made if it is missing; it may belong to another agent. */
export async function ensureRepository(
  trx: Db,
  { owner, name }: { owner: string; name: string },
  make: () => NewRepository,
): Promise<RepositoryRecord> {
  const known = await findRepositoryAt(trx, owner, name)
  if (known) return known
  await insertRepository(trx, make())
  const found = await findRepositoryAt(trx, owner, name)
  if (!found) throw new Error(`repository ${owner}/${name} vanished`)
  return found
}

/**
 * Sets the stars that a repository brought along, and its total with them. One of its skills takes
 * the revision, so that other processes hear of it.
 */
export async function setUpstreamStars(
  trx: Db,
  id: string,
  stars: number,
  revision: number,
): Promise<void> {
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
  if (changed) await raiseOneSkill(trx, 'repository_id', id, revision)
}

/** Whether some repository stands under this owner; no agent may then take the name. */
export async function ownerExists(db: Db, owner: string): Promise<boolean> {
  const row = await db
    .selectFrom('repositories')
    .select('id')
    .where('owner_key', '=', owner.toLowerCase())
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Some repository that stands under an owner that looks so. */
export const ownerLooksLike = preparedFirst((db, { ownerSkeleton }: { ownerSkeleton: string }) =>
  db.selectFrom('repositories').select('id').where('owner_skeleton', '=', ownerSkeleton).limit(1),
)

/** How many repositories there are. */
export const countRepositories = (db: Db) => countRows(db.selectFrom('repositories'))

/** How many repositories an agent has, imported ones too. */
export const countRepositoriesOfAgent = (db: Db, agentId: string) =>
  countRows(db.selectFrom('repositories').where('agent_id', '=', agentId))

/** How many repositories stand under an owner. */
export const countRepositoriesOfOwner = (db: Db, owner: string) =>
  countRows(db.selectFrom('repositories').where('owner_key', '=', owner.toLowerCase()))
