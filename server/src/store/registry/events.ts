import type { RegistryEvent } from '@skillpass/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { columnsOf, countDeleted, type Db } from '../../db/query.ts'
import type { RepositoryRecord } from './repositories.ts'

/** What everybody who may read an event sees of it. */
export type EventBody = z.output<typeof RegistryEvent>

interface NewEvent {
  readonly at: number
  readonly repository: RepositoryRecord
  readonly body: EventBody
}

const toValues = ({ at, repository, body }: NewEvent) => ({
  at,
  is_public: repository.visibility === 'public' ? (1 as const) : (0 as const),
  owner_id: repository.agentId,
  repository_id: repository.id,
  subject_id: body.id,
  owner_key: repository.owner.toLowerCase(),
  repo_key: repository.name.toLowerCase(),
  body: JSON.stringify(body),
})

/** Events per statement. Postgres takes at most 65,535 parameters. */
const chunk = 1000

/** Position of an event. The revision row orders commits, so no earlier position appears later. */
export type EventPosition = readonly [revision: number, number: number]

/** Inserts events of a transaction that holds the revision, after those it has inserted. */
export async function insertEvents(trx: Db, revision: number, events: readonly NewEvent[]) {
  for (let start = 0; start < events.length; start += chunk) {
    const rows = events.slice(start, start + chunk).map((event, at) => ({
      ...toValues(event),
      revision,
      number: sql<number>`(select coalesce(max(number), 0) from registry_events
        where revision = ${revision}) + ${sql.lit(at + 1)}`,
    }))
    await trx.insertInto('registry_events').values(rows).execute()
  }
}

type Place = Pick<RepositoryRecord, 'id' | 'agentId' | 'visibility'>

/**
 * Moves the past events of a repository, or of one skill, with it. Strangers no longer see them if
 * the new place is private. New owners do not see what happened under a private former owner.
 */
export async function moveEvents(trx: Db, from: Place, to: Place, skillId?: string): Promise<void> {
  const past = { repository_id: from.id, ...(skillId !== undefined && { subject_id: skillId }) }
  await (from.visibility === 'private' && from.agentId !== to.agentId
    ? trx.deleteFrom('registry_events').where((eb) => eb.and(past))
    : trx
        .updateTable('registry_events')
        .set({ repository_id: to.id, owner_id: to.agentId })
        .$if(to.visibility === 'private', (update) => update.set({ is_public: 0 }))
        .where((eb) => eb.and(past))
  ).execute()
}

export interface EventFilter {
  readonly owner?: string | undefined
  readonly repo?: string | undefined
  /** Whose private events are included. */
  readonly reader: { owners: readonly string[]; repositoryId?: string | undefined }
  readonly after?: EventPosition | undefined
  readonly limit: number
}

/** Lists up to `limit` events, oldest first after a position, or the newest first. */
export async function listEvents(db: Db, { owner, repo, reader, after, limit }: EventFilter) {
  const { owners, repositoryId } = reader
  const order = after ? 'asc' : 'desc'
  const rows = await db
    .selectFrom('registry_events')
    .select(columnsOf('registry_events', ['revision', 'number', 'at', 'body']))
    .where((eb) =>
      eb.and([
        ...(owner === undefined ? [] : [eb('owner_key', '=', owner.toLowerCase())]),
        ...(repo === undefined ? [] : [eb('repo_key', '=', repo.toLowerCase())]),
        ...(after ? [eb(eb.refTuple('revision', 'number'), '>', eb.tuple(...after))] : []),
        eb.or([
          eb('is_public', '=', 1),
          eb.and([
            eb('owner_id', 'in', [...owners, '']),
            ...(repositoryId === undefined ? [] : [eb('repository_id', '=', repositoryId)]),
          ]),
        ]),
      ]),
    )
    .orderBy('revision', order)
    .orderBy('number', order)
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, body: JSON.parse(row.body) as EventBody }))
}

/** Deletes and counts up to `limit` of the oldest events from before `time`. */
export function purgeEvents(trx: Db, time: number, limit: number): Promise<number> {
  const oldest = sql`select revision, number from registry_events
    order by revision, number limit ${limit}`
  const old = trx.deleteFrom('registry_events').where('at', '<', time)
  return countDeleted(old.where(sql<boolean>`(revision, number) in (${oldest})`))
}
