import { sql } from 'kysely'
import { columnsOf, type Db, type Fields, hasRow, toRow } from '../../db/query.ts'

const fields = [
  ...(['id', 'ownerId', 'repositoryId', 'issuer', 'sourceRepository'] as const),
  ...(['workflow', 'environment', 'createdBy', 'createdAt'] as const),
] as const

/** A workflow that may publish for an owner, perhaps in one repository only. */
export type TrustedPublisherRecord = Pick<Fields<'trusted_publishers'>, (typeof fields)[number]>

export type ListedPublisher = TrustedPublisherRecord & { readonly limitedTo: string }

export const insertTrustedPublisher = (trx: Db, publisher: TrustedPublisherRecord) =>
  trx.insertInto('trusted_publishers').values(toRow(publisher, fields)).execute()

/** Selects publishers with the address of the owner or repository in which they publish. */
const select = (db: Db) =>
  db
    .selectFrom('trusted_publishers')
    .innerJoin('agents', 'agents.id', 'trusted_publishers.owner_id')
    .leftJoin('repositories', 'repositories.id', 'trusted_publishers.repository_id')
    .select(columnsOf('trusted_publishers', fields))
    .select(
      sql<string>`coalesce(repositories.owner || '/' || repositories.name, agents.username)`.as(
        'limitedTo',
      ),
    )

export const listTrustedPublishers = (db: Db, ownerId: string) =>
  select(db)
    .where('owner_id', '=', ownerId)
    .orderBy('trusted_publishers.created_at', 'desc')
    .orderBy('trusted_publishers.id')
    .execute()

export const findTrustedPublisher = (db: Db, id: string) =>
  select(db).where('trusted_publishers.id', '=', id).executeTakeFirst()

/** Lists who trusts workflows of a source, without deleted owners. */
export const findTrusting = (
  db: Db,
  { issuer, repository }: { issuer: string; repository: string },
) =>
  select(db)
    .select('agents.blocked_reason as blockedReason')
    .where((eb) => eb.and({ issuer, source_repository: repository }))
    .where('agents.deleted_at', 'is', null)
    .execute()

export const deleteTrustedPublisher = (trx: Db, id: string): Promise<boolean> =>
  hasRow(trx.deleteFrom('trusted_publishers').where('id', '=', id).returning('id'))
