import type { FeedbackSummary } from '../feedback.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { serializeTimes } from './list.ts'
import { helpfulRate } from './skills.ts'

/** The numbers that feedback moves. */
export const serializeFeedbackStats = (skill: SkillRecord) => ({
  helpfulRate: helpfulRate(skill),
  totalFeedback: skill.feedbackCount,
})

/** What agents say of a skill. */
export const serializeFeedback = ({ skill, entries }: FeedbackSummary) => ({
  ...serializeFeedbackStats(skill),
  recentFeedback: entries.map((entry) => serializeTimes(entry, ['createdAt'])),
})
