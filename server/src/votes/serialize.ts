import { helpfulRate } from '../catalogue/serialize.ts'
import { serializeTimes } from '../http/handlers.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import type { FeedbackSummary } from './feedback.ts'

export const serializeFeedbackStats = (skill: SkillRecord) => ({
  helpfulRate: helpfulRate(skill),
  totalFeedback: skill.feedbackCount,
})

export const serializeFeedback = ({ skill, entries }: FeedbackSummary) => ({
  ...serializeFeedbackStats(skill),
  recentFeedback: entries.map((entry) => serializeTimes(entry, ['createdAt'])),
})
