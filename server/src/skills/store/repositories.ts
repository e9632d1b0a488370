import {
  columnsOf,
  countRows,
  type Db,
  type Fields,
  hasRow,
  prepared,
  preparedFirst,
  toRow,
} from '../../db/query.ts'
import { usernameSkeleton } from '../../names/skeleton.ts'
import { isShown, touchOneSkill } from './revision.ts'

export const repositoryFields = [
  ...(['id', 'agentId', 'owner', 'name', 'starCount', 'upstreamStars'] as const),
  ...(['downloadCount', 'verifiedAs'] as const),
] as const

export type RepositoryRecord = Pick<Fields<'repositories'>, (typeof repositoryFields)[number]>

const columns = columnsOf('repositories', repositoryFields)

export async function findRepository(db: Db, id: string): Promise<RepositoryRecord | undefined> {
  return db.selectFrom('repositories').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Returns the repository at this address, compared case-insensitively. */
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

interface NewRepository {
  id: string
  agentId: string
  owner: string
  name: string
  createdAt: number
  /** Stars imported from the repository's host. */
  upstreamStars?: number
}

/** Inserts a repository. Returns false if the address is taken. */
export async function insertRepository(trx: Db, repository: NewRepository): Promise<boolean> {
  const stars = repository.upstreamStars ?? 0
  const insert = trx
    .insertInto('repositories')
    .values({
      ...toRow(repository, ['id', 'agentId', 'owner', 'name', 'createdAt']),
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

export const countRepositories = (db: Db) => countRows(db.selectFrom('repositories'))

/** Counts the repositories of an agent, including imported ones. */
export const countRepositoriesOfAgent = (db: Db, agentId: string) =>
  countRows(db.selectFrom('repositories').where('agent_id', '=', agentId))

export const countRepositoriesOfOwner = (db: Db, owner: string) =>
  countRows(db.selectFrom('repositories').where('owner_key', '=', owner.toLowerCase()))
