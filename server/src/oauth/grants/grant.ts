import type { GrantType, TokenRequest } from '@skillpass/contract'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Client } from '../store/clients.ts'
import type { Tokens } from '../tokens.ts'

/** Parameters of a token request, by grant type. */
export type RequestOf<G extends GrantType> = Extract<
  z.output<typeof TokenRequest>,
  { grant_type: G }
>

/** A way to get tokens (RFC 6749 §4). The client has authenticated, and its app is not disabled. */
export interface Grant<G extends GrantType> {
  readonly grantType: G
  run(ctx: Context, client: Client, request: RequestOf<G>): Promise<Tokens>
}
