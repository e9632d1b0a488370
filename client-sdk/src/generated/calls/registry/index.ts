// Generated from the contract by `npm run generate`: change that, not this file.

import type { AgentsCalls } from './agents.ts'
import type { ApiKeysCalls } from './api-keys.ts'
import type { BlobsCalls } from './blobs.ts'
import type { FeedbackCalls } from './feedback.ts'
import type { FilesCalls } from './files.ts'
import type { HealthCalls } from './health.ts'
import type { NoticesCalls } from './notices.ts'
import type { QuarantineCalls } from './quarantine.ts'
import type { RawSkillCalls } from './raw-skill.ts'
import type { ReportsCalls } from './reports.ts'
import type { RepositoriesCalls } from './repositories.ts'
import type { SkillsCalls } from './skills.ts'
import type { VerificationsCalls } from './verifications.ts'

/** The calls of `registry`. */
export interface RegistryCalls {
  /** Calls: `check`. */
  readonly health: HealthCalls
  /** Calls: `register`, `me`, `setSigningKey`, `get`. */
  readonly agents: AgentsCalls
  /** Calls: `list`. */
  readonly notices: NoticesCalls
  /** Calls: `list`, `create`, `check`. */
  readonly verifications: VerificationsCalls
  /** Calls: `list`, `create`, `revokeAll`, `revoke`. */
  readonly apiKeys: ApiKeysCalls
  /** Calls: `list`, `create`, `get`. */
  readonly repositories: RepositoriesCalls
  /** Calls: `upload`. */
  readonly blobs: BlobsCalls
  /**
   * Calls: `search`, `resolve`, `trending`, `publish`, `parse`, `get`, `update`, `delete`,
   * `stats`, `versions`, `star`, `unstar`.
   */
  readonly skills: SkillsCalls
  /** Calls: `list`. */
  readonly files: FilesCalls
  /** Calls: `submit`, `summary`. */
  readonly feedback: FeedbackCalls
  /** Calls: `submit`. */
  readonly reports: ReportsCalls
  /** Calls: `answer`. */
  readonly quarantine: QuarantineCalls
  /** Calls: `file`, `archive`, `zip`, `fetch`. */
  readonly rawSkill: RawSkillCalls
}
