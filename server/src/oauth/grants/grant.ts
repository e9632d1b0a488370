import {
  type GrantType,
  type OAuthErrorName,
  parseScopes,
  type TokenRequest,
} from '@skillpass/contract'
import type { z } from 'zod'
import type { OAuthClient } from '../../apps/store/clients.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import type { OAuthContext } from '../context.ts'
import { holdsApproval, isOpenTo } from '../refusals.ts'
import { stillHas } from '../scopes.ts'
import type { EndReason } from '../store/grants.ts'
import type { IssuedTokens } from '../tokens.ts'

/** Parameters of a token request, by grant type. */
export type RequestOf<G extends GrantType> = Extract<
  z.output<typeof TokenRequest>,
  { grant_type: G }
>

/** A way to get tokens (RFC 6749 §4). The client has authenticated, and its app is not disabled. */
export interface Grant<G extends GrantType> {
  readonly grantType: G
  run(ctx: OAuthContext, client: OAuthClient, request: RequestOf<G>): Promise<IssuedTokens>
}

/**
 * Runs an exchange in a transaction. A refusal that it gives is thrown after the commit: what came
 * with it, a code used up, a grant ended, a poll noted, stays.
 */
export async function exchange(
  ctx: OAuthContext,
  work: (trx: Db) => Promise<IssuedTokens | OAuthErrorName>,
): Promise<IssuedTokens> {
  const outcome = await ctx.db.write(work)
  return typeof outcome === 'string' ? fail(outcome) : outcome
}

/**
 * The scopes of a code that its exchange may grant, space-separated; or the error if the app may not have
 * them any more.
 */
export async function grantable(
  trx: Db,
  client: OAuthClient,
  { accountId, scopes: allowed }: { readonly accountId: string; readonly scopes: string },
): Promise<{ readonly scopes: string } | OAuthErrorName> {
  if (!isOpenTo(client, accountId)) return 'app_not_public'
  const scopes = parseScopes(allowed).filter((scope) => stillHas(client, scope))
  if (scopes.length === 0) return 'scopes_lost'
  // Withdrawn between the page and the code, it left no mark on the code.
  const isApproved = await holdsApproval(trx, client.app, accountId, scopes)
  return isApproved ? { scopes: scopes.join(' ') } : 'approval_withdrawn'
}

/** The error for a token or code whose grant has ended; `otherwise` where no error number says why. */
export function errorOfEndedGrant(reason: EndReason, otherwise: OAuthErrorName): OAuthErrorName {
  if (reason === 'withdrawn') return 'approval_withdrawn'
  return reason === 'owner-removed' ? 'owner_missing' : otherwise
}
