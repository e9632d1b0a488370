import {
  basicScopes,
  parseScopes,
  type RegistrationRequest,
  type RegistrationResponse,
} from '@skillpass/contract'
import type { z } from 'zod'
import { inBatches } from '../db/query.ts'
import { fail } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import { isLoopback } from '../runtime/loopback.ts'
import { dayLength } from '../runtime/time.ts'
import { purgeUnusedApps } from '../store/oauth/expired.ts'
import { isAllowedRedirect } from './client-documents.ts'
import {
  createClientId,
  findNameIssue,
  otherScopes,
  storeUnverifiedClient,
  unverifiedAccount,
} from './clients.ts'

/** Time after which a client without an active grant is deleted, ms. */
const unusedLifetime = 30 * dayLength

/**
 * Registers a public client (RFC 7591 §3), whose name and maker are only claims. Scopes and
 * addresses that such clients cannot have are left out: editors send their own scheme beside
 * loopback.
 */
export async function registerClient(
  ctx: Context,
  request: z.output<typeof RegistrationRequest>,
): Promise<z.output<typeof RegistrationResponse>> {
  const { client_name: name, scope } = request
  const isOnlyLoopback = ctx.config.registersClients === 'on loopback'
  const redirectUris = [...new Set(request.redirect_uris)]
    .filter(isAllowedRedirect)
    .filter((uri) => !isOnlyLoopback || isLoopback(uri))
  if (redirectUris.length === 0) {
    fail('invalid_redirect_uri', isOnlyLoopback ? onlyLoopback : undefined)
  }
  const nameIssue = await findNameIssue(ctx.db.read, name)
  if (nameIssue) fail('invalid_client_metadata', `The field client_name ${nameIssue}.`)
  const requested = scope === undefined ? undefined : parseScopes(scope)
  const allowed = (scopes: readonly string[]) =>
    scopes.filter((one) => requested?.includes(one) ?? true)
  const [scopes, optionalScopes] = [allowed(basicScopes), allowed(otherScopes)]
  if (scopes.length + optionalScopes.length === 0) {
    fail('invalid_client_metadata', 'The client may not have any scope of the field scope.')
  }
  const clientId = createClientId(ctx.random)
  await ctx.db.write((trx) =>
    storeUnverifiedClient(ctx, trx, {
      clientId,
      scopes,
      optionalScopes,
      // Names are unique in the account of these clients.
      name: `${name} (${clientId.slice(0, 8)})`,
      publicClient: true,
      redirectUris,
    }),
  )
  return {
    ...request,
    redirect_uris: redirectUris,
    client_id: clientId,
    client_id_issued_at: Math.floor(ctx.clock.now() / 1000),
    scope: [...scopes, ...optionalScopes].join(' '),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}

const onlyLoopback =
  'One of the redirect_uris must be http on loopback, unless the operator sets DYNAMIC_CLIENT_REGISTRATION=on.'

/** Deletes clients that registered themselves long ago and have no active grant. */
export const removeUnusedClients = (ctx: Context): Promise<number> =>
  inBatches(ctx.db, (trx, limit) =>
    purgeUnusedApps(trx, unverifiedAccount.id, ctx.clock.now() - unusedLifetime, limit),
  )
