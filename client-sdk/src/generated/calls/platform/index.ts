// Generated from the contract by `npm run generate`: change that, not this file.

import type { ApprovalsCalls } from './approvals.ts'
import type { AppsCalls } from './apps.ts'
import type { ChatCalls } from './chat.ts'
import type { ContentAccessCalls } from './content-access.ts'
import type { DeliveriesCalls } from './deliveries.ts'
import type { MeetingsCalls } from './meetings.ts'
import type { UsersCalls } from './users.ts'

/** The calls of `platform`. */
export interface PlatformCalls {
  /** Calls: `list`, `create`, `get`, `update`, `remove`, `createToken`. */
  readonly users: UsersCalls
  /** Calls: `create`, `list`, `get`, `update`, `remove`. */
  readonly meetings: MeetingsCalls
  /** Calls: `report`, `end`, `getIndicator`. */
  readonly contentAccess: ContentAccessCalls
  /** Calls: `send`. */
  readonly chat: ChatCalls
  /**
   * Calls: `list`, `register`, `get`, `update`, `rotateClientSecret`, `rotateSecretToken`,
   * `previewMigration`, `migrate`.
   */
  readonly apps: AppsCalls
  /** Calls: `list`, `decide`, `getSettings`, `updateSettings`. */
  readonly approvals: ApprovalsCalls
  /** Calls: `validateEndpoint`, `list`, `redeliver`. */
  readonly deliveries: DeliveriesCalls
}
