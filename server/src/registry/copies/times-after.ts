import type { Db } from '../../db/open.ts'
import { passageKey } from '../store/revision.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { findVersion, firstVersionOf } from '../store/versions.ts'
import { changedTimes, readTimes, writeTimes } from './times.ts'

/** `passageTimes` of a skill after its readme has changed, before the new version is kept. */
export async function timesAfter(
  trx: Db,
  skill: SkillRecord,
  { readme, digest, now }: { readme: string; digest: string; now: number },
): Promise<string | null> {
  if (digest === skill.digest) return skill.passageTimes ?? null
  const former = await findVersion(trx, skill.id, { version: skill.version })
  const since = await firstVersionOf(trx, skill.id, skill.digest)
  const times = changedTimes({
    createdAt: skill.createdAt,
    before: {
      readme: former?.readme ?? '',
      times: readTimes(skill.passageTimes),
      since: since ?? skill.updatedAt,
    },
    readme,
    // what is put back is as old as it was
    now: (await firstVersionOf(trx, skill.id, digest)) ?? now,
    key: await passageKey(trx),
  })
  return writeTimes(times)
}
