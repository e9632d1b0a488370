import { initContract } from '@ts-rest/core'
import { oauthContract } from './oauth/index.ts'
import { platformContract } from './platform/index.ts'
import { registryContract } from './registry/index.ts'

const c = initContract()

/** Version of the service description (registry spec §9). */
export const apiVersion = '0.2.0'

/** Every endpoint and every error of Skillpass. */
export const contract = c.router({
  oauth: oauthContract,
  platform: platformContract,
  registry: registryContract,
})

export * from './limits.ts'
export * from './metadata.ts'
export { DeviceCodeResponse } from './oauth/device.ts'
export * from './oauth/errors.ts'
export { Introspection } from './oauth/introspect.ts'
export { ServerMetadata } from './oauth/metadata.ts'
export * from './oauth/scopes.ts'
export { type GrantType, grantTypes, TokenRequest, TokenResponse } from './oauth/token.ts'
export * from './platform/errors.ts'
export { User } from './platform/users.ts'
export { AgentProfile, AgentRegistration, PublicAgent, RegisteredAgent } from './registry/agents.ts'
export { ApiKey, NewApiKey } from './registry/api-keys.ts'
export * from './registry/errors.ts'
export { FeedbackResult, FeedbackSubmission, FeedbackSummary } from './registry/feedback.ts'
export { FoundBy } from './registry/fields.ts'
export {
  LintWarning,
  ResolvedSkill,
  SkillChanges,
  SkillDetail,
  SkillItem,
  SkillPublication,
} from './registry/skills.ts'
export { isStorable, utf8Length } from './text.ts'
export { oauthContract, platformContract, registryContract }
