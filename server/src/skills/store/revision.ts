import type { ExpressionBuilder } from 'kysely'
import type { Database, Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'
import type { Schema } from '../../db/schema.ts'

/**
 * Raises the registry's revision and gives the new value. Every change of a skill starts with it, or is a
 * `writeChange`: the row stays locked until the commit, so changes are ordered and other processes can
 * follow them, and two changes of one skill cannot read the same former state.
 */
export async function nextRevision(trx: Db): Promise<number> {
  const [row] = await raise(trx, {})
  if (!row) throw new Error('the row of registry_revision is missing')
  return row.revision
}

/** Writes a change of skills, which `work` makes with a revision of its own. */
export const writeChange = <T>(
  db: Pick<Database, 'write'>,
  work: (trx: Db, revision: number) => Promise<T>,
): Promise<T> => db.write(async (trx) => work(trx, await nextRevision(trx)))

const raise = prepared((db) =>
  db
    .updateTable('registry_revision')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', 1)
    .returning('revision'),
)

/**
 * Gives the revision to one skill, of those that readers see, of a repository or an agent that has
 * changed: so other processes hear of the change.
 */
export async function raiseOneSkill(
  trx: Db,
  of: 'repository_id' | 'agent_id',
  id: string,
  revision: number,
): Promise<void> {
  await trx
    .updateTable('skills')
    .set({ revision })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('skills')
        .select((inner) => inner.fn.min('id').as('id'))
        .where(of, '=', id)
        .where(isShown),
    )
    .execute()
}

/** The condition of skills that readers see. */
export const isShown = (eb: ExpressionBuilder<Schema, 'skills'>) =>
  eb.and([eb('skills.deleted_at', 'is', null), eb('skills.state', '<>', 'hidden')])

/** How far changes of skills were read: one revision may have changed many, which follow by id. */
export interface ChangePlace {
  readonly revision: number
  readonly id: string
}

/** The condition of skills changed after a place, as one range of the index on revision and id. */
export const changedAfter =
  ({ revision, id }: ChangePlace) =>
  (eb: ExpressionBuilder<Schema, 'skills'>) =>
    eb(eb.refTuple('skills.revision', 'skills.id'), '>', eb.tuple(revision, id))

/** The revision of the last commit. */
export async function currentRevision(db: Db): Promise<number> {
  return (await row(db).select('revision').executeTakeFirstOrThrow()).revision
}

/** What passages of readmes are hashed with: each database has its own, below 2^31. */
export async function passageKey(db: Db): Promise<number> {
  return (await row(db).select('passage_key').executeTakeFirstOrThrow()).passage_key
}

const row = (db: Db) => db.selectFrom('registry_revision').where('id', '=', 1)
