import { createCallers } from '../http/request.ts'
import type { Reporter } from '../store/platform/content-access.ts'
import type { MeetingTokenMaker } from '../store/platform/meeting-tokens.ts'
import type { Bearer } from './bearer.ts'

/** The caller of the resource API: an app, for a user or an account. */
type ApiCaller = Bearer & MeetingTokenMaker & Reporter

export const bearers = createCallers<ApiCaller>('token_empty', ({ clientId, userId }) => ({
  subject: `${clientId}:${userId ?? ''}`,
}))

export const bearerOf = bearers.of
