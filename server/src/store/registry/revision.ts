import type { ExpressionBuilder } from 'kysely'
import type { Database } from '../../db/open.ts'
import { type Db, prepared } from '../../db/query.ts'
import type { Schema } from '../../db/schema.ts'

/**
 * Increments the registry's revision and returns it. Every change of a skill starts with this call
 * or uses `writeChange`. The row stays locked until the commit, which serializes changes: other
 * processes can follow them in order, and two changes never read the same state.
 */
export async function nextRevision(trx: Db): Promise<number> {
  const [row] = await raise(trx, {})
  if (!row) throw new Error('the row of registry_revision is missing')
  return row.revision
}

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

/** Sets the revision of one visible skill, so that other processes read the change. */
export const touchOneSkill = (
  trx: Db,
  of: 'repository_id' | 'agent_id',
  id: string,
  revision: number,
) =>
  trx
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

/** Matches skills that readers can see. */
export const isShown = (eb: ExpressionBuilder<Schema, 'skills'>) =>
  eb.and([isKept(eb), eb('skills.version', '>', 0)])

/** Matches skills that are neither deleted nor hidden, also those without a current version. */
export const isKept = (eb: ExpressionBuilder<Schema, 'skills'>) =>
  eb.and([eb('skills.deleted_at', 'is', null), eb('skills.state', '<>', 'hidden')])

/** A position in the sequence of changes. Changes of one revision are ordered by id. */
export interface ChangePosition {
  readonly revision: number
  readonly id: string
}

/** Matches skills changed after a position, as one range of the index on revision and id. */
export const changedAfter =
  ({ revision, id }: ChangePosition) =>
  (eb: ExpressionBuilder<Schema, 'skills'>) =>
    eb(eb.refTuple('skills.revision', 'skills.id'), '>', eb.tuple(revision, id))

export async function currentRevision(db: Db): Promise<number> {
  const row = db.selectFrom('registry_revision').select('revision').where('id', '=', 1)
  return (await row.executeTakeFirstOrThrow()).revision
}
