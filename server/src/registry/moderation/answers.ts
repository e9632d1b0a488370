import type { Context } from '../../context/context.ts'
import { quarantinedRules } from '../lint/quarantine.ts'
import { type AnswerRecord, listAnswers } from '../store/answers.ts'
import type { SkillRecord } from '../store/skill-record.ts'

/** What was answered to the findings that keep a skill's current version out of resolve. */
export async function answersOf(
  { config, db }: Pick<Context, 'config' | 'db'>,
  skill: SkillRecord,
): Promise<readonly AnswerRecord[]> {
  if (quarantinedRules(config, skill).length === 0) return []
  return listAnswers(db.read, { skillId: skill.id, version: skill.version })
}
