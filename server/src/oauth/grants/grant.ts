import type { GrantType, OAuthErrorName, TokenRequest } from '@skillpass/contract'
import type { z } from 'zod'
import type { OAuthClient } from '../../apps/store/clients.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import type { OAuthContext } from '../context.ts'
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

/** The error for a token or code whose grant has ended; `otherwise` where no error number says why. */
export function errorOfEndedGrant(reason: EndReason, otherwise: OAuthErrorName): OAuthErrorName {
  if (reason === 'withdrawn') return 'approval_withdrawn'
  return reason === 'owner-removed' ? 'owner_missing' : otherwise
}
