import type { PlatformContext } from '../context.ts'
import { chatRoutes } from './chat.ts'
import { contentAccessRoutes } from './content-access.ts'
import { meetingsRoutes } from './meetings.ts'
import { usersRoutes } from './users.ts'

/** The handlers of the resource API that are about people and their meetings. */
export const platformRoutes = (ctx: PlatformContext) => ({
  users: usersRoutes(ctx),
  meetings: meetingsRoutes(ctx),
  contentAccess: contentAccessRoutes(ctx),
  chat: chatRoutes(ctx),
})
