import {
  type GrantType,
  type OAuthErrorName,
  parseScopes,
  type TokenRequest,
} from '@skillpass/contract'
import type { z } from 'zod'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import type { Context } from '../../runtime/context.ts'
import type { OAuthClient } from '../../store/oauth/clients.ts'
import type { EndReason } from '../../store/oauth/grants.ts'
import type { UserRecord } from '../../store/platform/users.ts'
import { errorOfUser, isApprovalCurrent } from '../refusals.ts'
import { stillHas } from '../scopes.ts'
import type { IssuedTokens } from '../tokens.ts'

export type RequestOf<G extends GrantType> = Extract<
  z.output<typeof TokenRequest>,
  { grant_type: G }
>

/** Issues tokens for a grant type (RFC 6749 §4) to an authenticated client of an enabled app. */
export interface GrantHandler<G extends GrantType> {
  readonly grantType: G
  run(ctx: Context, client: OAuthClient, request: RequestOf<G>): Promise<IssuedTokens>
}

/**
 * Runs an exchange in a transaction. A returned error is thrown after the commit, so that the
 * writes of a failed exchange are kept.
 */
export async function exchange(
  ctx: Context,
  work: (trx: Db) => Promise<IssuedTokens | OAuthErrorName>,
): Promise<IssuedTokens> {
  const outcome = await ctx.db.write(work)
  return typeof outcome === 'string' ? fail(outcome) : outcome
}

/** Returns the scopes that a code can still grant, or the error if it cannot grant any. */
export async function grantableScopes(
  trx: Db,
  client: OAuthClient,
  code: Pick<UserRecord, 'accountId' | 'role'> & { readonly scopes: string },
): Promise<{ readonly scopes: string } | OAuthErrorName> {
  const allowed = parseScopes(code.scopes)
  const error = errorOfUser(client, code, allowed)
  if (error) return error
  const scopes = allowed.filter((scope) => stillHas(client, scope))
  if (scopes.length === 0) return 'scopes_lost'
  // A withdrawal before the code was issued did not mark the code, so check the approval again.
  const isApproved = await isApprovalCurrent(trx, client.app, code.accountId, scopes)
  return isApproved ? { scopes: scopes.join(' ') } : 'approval_withdrawn'
}

/** The error for a token or code of an ended grant. `otherwise` applies to other reasons. */
export function errorOfEndedGrant(reason: EndReason, otherwise: OAuthErrorName): OAuthErrorName {
  if (reason === 'withdrawn') return 'approval_withdrawn'
  return reason === 'owner-removed' ? 'owner_missing' : otherwise
}
