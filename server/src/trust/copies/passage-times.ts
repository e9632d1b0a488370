import type { Db } from '../../db/open.ts'
import { passageKey } from '../../skills/store/revision.ts'
import type { SkillRecord } from '../../skills/store/skill-record.ts'
import { findVersion, firstVersionOf } from '../../skills/store/versions.ts'
import { comparedText, passagesOf } from './passages.ts'

/**
 * Times at which a skill first had its passages, in ms since 1970. An old skill that is edited into
 * a copy of a younger one counts as younger for these passages. Only passages added after the skill
 * was created are recorded, among the `RECORDED` smallest, which can enter the sample later.
 */
export type PassageTimes = ReadonlyMap<number, number>

const RECORDED = 256

/** Parses the column `passage_times`, which is empty for a skill that was never changed. */
export function readTimes(text: string | null | undefined): PassageTimes | undefined {
  if (!text) return undefined
  const times = JSON.parse(text) as [number, number[]][]
  return new Map(times.flatMap(([time, passages]) => passages.map((each) => [each, time])))
}

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

/** Returns the `passageTimes` for a changed readme. Call it before the new version is stored. */
export async function timesAfter(
  trx: Db,
  skill: SkillRecord,
  { readme, digest, now }: { readme: string; digest: string; now: number },
): Promise<string | null> {
  if (digest === skill.digest) return skill.passageTimes ?? null
  const { id, createdAt } = skill
  const key = await passageKey(trx)
  const previous = await findVersion(trx, id, { version: skill.version })
  const before = passagesOf(comparedText(previous?.readme ?? ''), key)
  const recorded = new Set(before.subarray(0, RECORDED))
  const had = new Set(before)
  const known = readTimes(skill.passageTimes)
  // The times of other passages are unknown, so use that of the previous text.
  const since = (await firstVersionOf(trx, id, skill.digest)) ?? skill.updatedAt
  // A restored text keeps its original time.
  const added = (await firstVersionOf(trx, id, digest)) ?? now
  const times = new Map<number, number>()
  for (const passage of passagesOf(comparedText(readme), key).subarray(0, RECORDED)) {
    const was = recorded.has(passage) ? (known?.get(passage) ?? createdAt) : since
    const time = had.has(passage) ? Math.min(was, added) : added
    if (time > createdAt) times.set(passage, time)
  }
  return writeTimes(times)
}
