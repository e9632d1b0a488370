import { parseScopes } from '@skillpass/contract'
import { recordOnApp, userParty } from '../audit/record.ts'
import { fail } from '../errors/failure.ts'
import type { Session } from '../people/sign-in.ts'
import type { Context } from '../runtime/context.ts'
import { createDatedSecret, hashSecret, parseSecret, type Secret } from '../secrets/secrets.ts'
import { insertAuthorizationCode } from '../store/oauth/authorization-codes.ts'
import type { OAuthClient } from '../store/oauth/clients.ts'
import * as store from '../store/oauth/consent-requests.ts'
import { redirectLocation } from './authorize.ts'
import { findKnownClient, isRedirectUri } from './clients.ts'
import { needsS256 } from './pkce.ts'
import { findConsentRefusal } from './refusals.ts'
import { isRegistered } from './scopes.ts'

/**
 * Records the user's decision on a consent page and returns the address to redirect the browser to.
 * `request` is the secret in the page's form. Ticked scopes that were not offered are ignored.
 * Throws app_disabled, redirect_uri_mismatch if the address is no longer registered, 403 if the
 * page was already used, has expired or belongs to another session, and 400 if the user allows the
 * app without any scope.
 */
export async function decideConsent(
  ctx: Context,
  session: Session,
  decision: { request: string; allow: boolean; ticked: readonly string[] },
): Promise<string> {
  const now = ctx.steadyNow()
  const key = hashSecret(parseSecret('consent', decision.request) ?? expired())
  const page = { key, sessionKey: session.key, now }
  const stored = (await store.findConsentRequest(ctx.db.read, page)) ?? expired()
  const client = (await findKnownClient(ctx, stored.clientId)) ?? expired()
  if (client.app.disabledAt !== null) fail('app_disabled')
  // Even a denial must not go to an address that is no longer registered.
  if (!(await isRedirectUri(ctx.db.read, client, stored.redirectUri))) {
    fail('redirect_uri_mismatch', addressRemoved)
  }
  const ticked = parseScopes(stored.optionalScopes).filter((one) => decision.ticked.includes(one))
  const scopes = [...parseScopes(stored.scopes), ...ticked]
  if (decision.allow && scopes.length === 0) fail(400, nothingTicked)
  const error = decision.allow
    ? await errorForApp(ctx, client, session, { ...stored, scopes })
    : 'access_denied'
  const result: { error: string } | { code: Secret } =
    error === undefined
      ? { code: createDatedSecret('authorizationCode', ctx.random, now) }
      : { error }
  // One transaction, so that the user can press Allow again if it fails.
  await ctx.db.write(async (trx) => {
    if (!(await store.takeConsentRequest(trx, page))) expired()
    const { id, accountId } = session.user
    const action = 'error' in result ? 'consent.denied' : 'consent.allowed'
    await recordOnApp(ctx, trx, { who: userParty(id), accountId }, action, client.app.id)
    if ('error' in result) return
    await insertAuthorizationCode(trx, {
      key: hashSecret(result.code),
      clientId: client.clientId,
      userId: session.user.id,
      redirectUri: stored.redirectUri,
      scopes: scopes.join(' '),
      resource: stored.resource,
      codeChallenge: stored.codeChallenge,
      codeChallengeMethod: stored.codeChallengeMethod,
      expiresAt: now + ctx.config.lifetimes.authorizationCode,
    })
  })
  const state = stored.state === null ? '' : ctx.encryption.open('oauth-state', key, stored.state)
  return redirectLocation(ctx, { ...stored, client, state }, result)
}

/** Returns the error to send to the app instead of a code, or undefined. */
async function errorForApp(
  ctx: Context,
  client: OAuthClient,
  { user }: Session,
  stored: Pick<store.ConsentRequest, 'codeChallengeMethod'> & {
    readonly scopes: readonly string[]
  },
): Promise<string | undefined> {
  const { scopes, codeChallengeMethod } = stored
  if (needsS256(client) && codeChallengeMethod !== 'S256') return 'invalid_request'
  if (!scopes.every((scope) => isRegistered(client, scope))) return 'invalid_scope'
  // The user's role or the approval may have changed since the page was shown.
  return (await findConsentRefusal(ctx, client, user, scopes)) ? 'access_denied' : undefined
}

const nothingTicked = 'Nothing is ticked. Go back and tick what the app may do, or choose Deny.'

const addressRemoved =
  'The app no longer has the address that this page would send you to. Nothing was sent. Go back to the app and start again.'

function expired(): never {
  fail(403, 'This page has expired or was used before. Go back to the app and start again.')
}
