import type { Context } from '../../context.ts'
import { usersRoutes } from './users.ts'

/** The handlers of the resource API. */
export const platformRoutes = (ctx: Context) => ({ users: usersRoutes(ctx) })
