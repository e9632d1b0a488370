import type { Db } from '../../db/open.ts'
import { passageKey } from '../../skills/store/revision.ts'
import type { SkillRecord } from '../../skills/store/skill-record.ts'
import { findVersion, firstVersionOf } from '../../skills/store/versions.ts'
import { passagesOf } from './passages.ts'

/**
 * When a skill first had its passages, ms since 1970: an old skill that is edited into a copy of a younger
 * one is the younger for these. Only passages that came after the skill was created are noted, among the
 * `NOTED` least ones: those that may come into the sample when others go.
 */
export type PassageTimes = ReadonlyMap<number, number>

const NOTED = 256

/** Reads the column `passage_times`; nothing was noted of a skill that was never changed. */
export function readTimes(text: string | null | undefined): PassageTimes | undefined {
  if (!text) return undefined
  const times = JSON.parse(text) as [number, number[]][]
  return new Map(times.flatMap(([time, passages]) => passages.map((each) => [each, time])))
}

/** JSON of times, each with its passages. */
function writeTimes(times: PassageTimes): string | null {
  if (times.size === 0) return null
  const passages = new Map<number, number[]>()
  for (const [passage, time] of times) {
    const others = passages.get(time)
    if (others) others.push(passage)
    else passages.set(time, [passage])
  }
  return JSON.stringify([...passages])
}

/** `passageTimes` of a skill after its readme has changed, before the new version is kept. */
export async function timesAfter(
  trx: Db,
  skill: SkillRecord,
  { readme, digest, now }: { readme: string; digest: string; now: number },
): Promise<string | null> {
  if (digest === skill.digest) return skill.passageTimes ?? null
  const { id, createdAt } = skill
  const key = await passageKey(trx)
  const former = await findVersion(trx, id, { version: skill.version })
  const before = passagesOf(former?.readme ?? '', key)
  const noted = new Set(before.subarray(0, NOTED))
  const had = new Set(before)
  const known = readTimes(skill.passageTimes)
  // Nothing older is known of passages beyond those that were noted.
  const since = (await firstVersionOf(trx, id, skill.digest)) ?? skill.updatedAt
  // What is put back is as old as it was.
  const comes = (await firstVersionOf(trx, id, digest)) ?? now
  const times = new Map<number, number>()
  for (const passage of passagesOf(readme, key).subarray(0, NOTED)) {
    const was = noted.has(passage) ? (known?.get(passage) ?? createdAt) : since
    const time = had.has(passage) ? Math.min(was, comes) : comes
    if (time > createdAt) times.set(passage, time)
  }
  return writeTimes(times)
}
