import type {
  contract,
  FeedbackSummary,
  PublicAgent,
  SkillDetail,
  SkillItem,
} from '@skillpass/contract'
import type { z } from 'zod'

type Routes = typeof contract.registry

export type Skill = z.infer<typeof SkillItem>
export type Detail = z.infer<typeof SkillDetail>
export type Agent = z.infer<typeof PublicAgent>
export type Feedback = z.infer<typeof FeedbackSummary>
export type SearchPage = z.infer<Routes['skills']['search']['responses'][200]>
export type ResolvedSkill = z.infer<Routes['skills']['resolve']['responses'][200]>['data'][number]
export type Trust = Pick<Detail, 'trustScore' | 'feedbackCount'>
export type Version = z.infer<Routes['skills']['versions']['responses'][200]>['data'][number]
