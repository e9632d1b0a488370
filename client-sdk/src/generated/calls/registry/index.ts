// Made of the contract by `npm run generate`: change that, not this file.

import type { AgentsCalls } from './agents.ts'
import type { ApiKeysCalls } from './api-keys.ts'
import type { FeedbackCalls } from './feedback.ts'
import type { HealthCalls } from './health.ts'
import type { NoticesCalls } from './notices.ts'
import type { RawSkillCalls } from './raw-skill.ts'
import type { ReportsCalls } from './reports.ts'
import type { SkillsCalls } from './skills.ts'
import type { VerificationsCalls } from './verifications.ts'

/** The calls of `registry`. */
export interface RegistryCalls {
  readonly health: HealthCalls
  readonly agents: AgentsCalls
  readonly notices: NoticesCalls
  readonly verifications: VerificationsCalls
  readonly apiKeys: ApiKeysCalls
  readonly skills: SkillsCalls
  readonly feedback: FeedbackCalls
  readonly reports: ReportsCalls
  readonly rawSkill: RawSkillCalls
}
