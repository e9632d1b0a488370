// Made of the contract by `npm run generate`: change that, not this file.

import type { ApprovalsCalls } from './approvals.ts'
import type { AppsCalls } from './apps.ts'
import type { ChatCalls } from './chat.ts'
import type { ContentAccessCalls } from './content-access.ts'
import type { DeliveriesCalls } from './deliveries.ts'
import type { MeetingsCalls } from './meetings.ts'
import type { UsersCalls } from './users.ts'

/** The calls of `platform`. */
export interface PlatformCalls {
  readonly users: UsersCalls
  readonly meetings: MeetingsCalls
  readonly contentAccess: ContentAccessCalls
  readonly chat: ChatCalls
  readonly apps: AppsCalls
  readonly approvals: ApprovalsCalls
  readonly deliveries: DeliveriesCalls
}
