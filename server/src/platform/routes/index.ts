import type { PlatformContext } from '../context.ts'
import type { OnUserRemoved } from '../user-changes.ts'
import { chatRoutes } from './chat.ts'
import { contentAccessRoutes } from './content-access.ts'
import { meetingsRoutes } from './meetings.ts'
import { usersRoutes } from './users.ts'

/** The handlers of the resource API that are about people and their meetings. */
export const platformRoutes = (ctx: PlatformContext, onUserRemoved: OnUserRemoved) => ({
  users: usersRoutes(ctx, onUserRemoved),
  meetings: meetingsRoutes(ctx),
  contentAccess: contentAccessRoutes(ctx),
  chat: chatRoutes(ctx),
})
