import type { Verdict } from '../moderation/lint/judge.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'

const gravity: Readonly<Record<Verdict, number>> = { clean: 1, notice: 2, warning: 3 }

/** Whether a skill's verdict is no graver; one that is still to be linted counts as a notice. */
export const isAtMost = (skill: SkillRecord | undefined, verdict: Verdict): boolean =>
  gravity[skill?.verdict ?? 'notice'] <= gravity[verdict]
