import type { AppRouter } from '@ts-rest/core'
import { createCallers } from '../http/request.ts'
import type { HandlersOf } from '../http/serve.ts'
import type { Context } from '../runtime/context.ts'
import type { Reporter } from '../store/platform/content-access.ts'
import type { MeetingTokenMaker } from '../store/platform/meeting-tokens.ts'
import type { Bearer } from './bearer.ts'

/** The caller of the resource API: an app, for a user or an account. */
type ApiCaller = Bearer & MeetingTokenMaker & Reporter

export const bearers = createCallers<ApiCaller>('token_empty', ({ clientId, userId }) => ({
  subject: `${clientId}:${userId ?? ''}`,
}))

export type BearerHandlers<T extends AppRouter> = HandlersOf<T, Context, ApiCaller>
