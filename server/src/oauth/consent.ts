import { parseScopes } from '@skillpass/contract'
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { createDatedSecret, hashSecret, parseSecret } from '../secrets.ts'
import { findObstacle } from './admission.ts'
import { redirect, type SignedIn } from './authorize.ts'
import { stillHas } from './scopes.ts'
import { insertAuthorizationCode } from './store/authorization-codes.ts'
import { findClient } from './store/clients.ts'
import { takeConsentRequest } from './store/consent-requests.ts'

/** What a user decided on the consent page. */
export interface Decision {
  /** The page's own secret; it stands for the request, the session and what was shown. */
  readonly request: string
  readonly allow: boolean
  /** Optional scopes that were ticked; what was not offered is ignored. */
  readonly ticked: readonly string[]
}

/**
 * Carries out what a user decided, and gives the address to send the browser to. FORBIDDEN where the
 * page was used before, is too old, or was shown to somebody else.
 */
export async function decideConsent(
  ctx: Context,
  session: SignedIn,
  decision: Decision,
): Promise<string> {
  const now = ctx.steadyNow()
  const secret = parseSecret('consent', decision.request) ?? expired()
  const key = hashSecret(secret)
  const asked = await ctx.db.write((trx) =>
    takeConsentRequest(trx, { key, sessionKey: session.key, now }),
  )
  if (!asked) expired()
  const client = await findClient(ctx.db.read, asked.clientId)
  if (!client) expired()
  if (client.app.disabled) fail('app_disabled')
  const back = (parameters: Record<string, string>) => redirect(ctx, asked, parameters).location
  if (!decision.allow) return back({ error: 'access_denied' })
  const ticked = parseScopes(asked.optionalScopes).filter((one) => decision.ticked.includes(one))
  const granted = [...parseScopes(asked.scopes), ...ticked]
  if (!granted.every((scope) => stillHas(client, scope))) return back({ error: 'invalid_scope' })
  if (granted.length === 0) return back({ error: 'access_denied' })
  // Since the page was shown the user's role or an admin's mind may have changed.
  if (await findObstacle(ctx, client, session.user, granted))
    return back({ error: 'access_denied' })
  const code = createDatedSecret('authorizationCode', ctx.random, now)
  await ctx.db.write((trx) =>
    insertAuthorizationCode(trx, {
      key: hashSecret(code),
      clientId: client.clientId,
      userId: session.user.id,
      redirectUri: asked.redirectUri,
      scopes: granted.join(' '),
      codeChallenge: asked.codeChallenge,
      codeChallengeMethod: asked.codeChallengeMethod,
      expiresAt: now + ctx.config.lifetimes.authorizationCode,
    }),
  )
  return back({ code })
}

function expired(): never {
  fail('FORBIDDEN', 'This page was used before or is too old. Go back to the app and start again.')
}
