import { skeletonOf, usernameSkeleton } from '../../names/skeleton.ts'
import type { Db } from '../handle.ts'

/** Skeletons of usernames and owners without hyphens, dots and underscores. */
export const up = (trx: Db): Promise<void> => keepSkeletons(trx, usernameSkeleton)

export const down = (trx: Db): Promise<void> => keepSkeletons(trx, skeletonOf)

async function keepSkeletons(trx: Db, skeletonFor: (name: string) => string): Promise<void> {
  const agents = await trx
    .selectFrom('agents')
    .select(['id', 'username', 'skeleton'])
    // Where agents look alike, the operator's and then the oldest keeps the skeleton to itself.
    .orderBy('origin', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const kept = new Set<string>()
  const changed = agents.flatMap(({ id, username, skeleton: before }) => {
    const look = skeletonFor(username)
    const skeleton = kept.has(look) ? null : look
    kept.add(look)
    return skeleton === before ? [] : [{ id, skeleton }]
  })
  // All at first, for the index is unique and a new skeleton may be what another agent had.
  for (const { id } of changed) {
    await trx.updateTable('agents').set({ skeleton: null }).where('id', '=', id).execute()
  }
  for (const { id, skeleton } of changed) {
    if (skeleton === null) continue
    await trx.updateTable('agents').set({ skeleton }).where('id', '=', id).execute()
  }
  const owners = await trx.selectFrom('repositories').select('owner_key').distinct().execute()
  for (const { owner_key } of owners) {
    await trx
      .updateTable('repositories')
      .set({ owner_skeleton: skeletonFor(owner_key) })
      .where('owner_key', '=', owner_key)
      .execute()
  }
}
