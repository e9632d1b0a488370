import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'

/**
 * Raises the registry's revision and gives the new value. Every change of a skill starts with it:
 * the row stays locked until the commit, so changes are ordered and other processes can follow
 * them, and two changes of one skill cannot read the same former state.
 */
export async function nextRevision(trx: Db): Promise<number> {
  const [row] = await raise(trx, {})
  if (!row) throw new Error('the row of registry_revision is missing')
  return row.revision
}

const raise = prepared((db) =>
  db
    .updateTable('registry_revision')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', 1)
    .returning('revision'),
)

/** The revision of the last commit. */
export async function currentRevision(db: Db): Promise<number> {
  const row = await db
    .selectFrom('registry_revision')
    .select('revision')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return row.revision
}
