import { bounds } from '@skillpass/contract'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import { createDatedSecret, hashSecret, parseSecret, type Secret } from '../secrets/secrets.ts'
import * as store from '../store/platform/meeting-tokens.ts'
import type { UserRecord } from '../store/platform/users.ts'

/** Default lifetime of a meeting token, ms. Only a zak can have a different one. */
const defaultLifetime = bounds.zakSeconds.default * 1000

interface MeetingTokenParts {
  /** A `zak` starts meetings of this user. A `token` joins meetings as this user. */
  readonly user: Pick<UserRecord, 'id'>
  readonly type: store.MeetingTokenType
  /** Milliseconds. Default: two hours. */
  readonly lifetime?: number
  /** The access token that requests it. The meeting token ends with it or its grant. */
  readonly bearer: store.MeetingTokenMaker
}

/** Creates a meeting token in the caller's transaction. Throws token_revoked. */
export async function makeMeetingToken(
  ctx: Context,
  trx: Db,
  { user, type, lifetime = defaultLifetime, bearer }: MeetingTokenParts,
): Promise<Secret> {
  if (bearer.grantId === null && !(await store.lockAccessToken(trx, bearer.key)))
    fail('token_revoked')
  const now = ctx.steadyNow()
  const secret = createDatedSecret('meetingToken', ctx.random, now)
  const token = { key: hashSecret(secret), userId: user.id, type, expiresAt: now + lifetime }
  await store.insertMeetingToken(trx, token, bearer)
  return secret
}

export const createMeetingToken = (ctx: Context, parts: MeetingTokenParts) =>
  ctx.db.write((trx) => makeMeetingToken(ctx, trx, parts))

export async function findMeetingTokenUser(
  ctx: Context,
  text: string,
  type: store.MeetingTokenType,
): Promise<UserRecord | undefined> {
  const secret = parseSecret('meetingToken', text)
  if (!secret) return undefined
  return store.findUserOfMeetingToken(ctx.db.read, hashSecret(secret), type, ctx.steadyNow())
}
