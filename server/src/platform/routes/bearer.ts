import { createCallers } from '../../http/caller.ts'
import type { Bearer } from '../bearer.ts'
import type { Reporter } from '../store/content-access.ts'
import type { MeetingTokenMaker } from '../store/meeting-tokens.ts'

/** Who calls the resource API: a user or an account, through an app. */
type ApiCaller = Bearer & MeetingTokenMaker & Reporter

/** The bearers of requests' access tokens, with what the routes require. */
export const bearers = createCallers<ApiCaller>('token_empty', ({ clientId, userId }) => ({
  subject: `${clientId}:${userId ?? ''}`,
}))

export const bearerOf = bearers.of
