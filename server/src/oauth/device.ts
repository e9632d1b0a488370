import { type DeviceCodeResponse, parseScopes } from '@skillpass/contract'
import type { z } from 'zod'
import { recordOnApp, userParty } from '../audit/record.ts'
import { UniqueViolation } from '../db/errors.ts'
import { Failure, fail } from '../errors/failure.ts'
import type { Session } from '../people/sign-in.ts'
import type { Context } from '../runtime/context.ts'
import { secondsToWait } from '../runtime/limits/rate-limiter.ts'
import { createDatedSecret, hashSecret } from '../secrets/secrets.ts'
import { formatUserCode, makeUserCode, readUserCode } from '../secrets/user-code.ts'
import { findClient, type OAuthClient } from '../store/oauth/clients.ts'
import * as store from '../store/oauth/device-codes.ts'
import { type ConsentRefusal, findConsentRefusal, isWithinRole } from './refusals.ts'
import { type DescribedScope, describeScopes, isRegistered, requestedScopes } from './scopes.ts'

/**
 * Starts a device authorization (spec/oauth.md#device-code, RFC 8628 §3.1). Throws app_disabled,
 * unauthorized_client and invalid_scope.
 */
export async function requestDeviceCode(
  ctx: Context,
  client: OAuthClient,
  scope: string | undefined,
): Promise<z.output<typeof DeviceCodeResponse>> {
  const { app, clientId } = client
  if (app.disabledAt !== null) fail('app_disabled')
  if (app.type !== 'general' || !app.deviceFlow) {
    fail(
      'unauthorized_client',
      'This app is not set up for use on devices. Enable the device flow in its settings.',
    )
  }
  const { required } = requestedScopes(client, scope, undefined)
  if (required.length === 0) fail('invalid_scope', 'The app has no scopes.')
  const { config } = ctx
  const now = ctx.steadyNow()
  for (;;) {
    const secret = createDatedSecret('deviceCode', ctx.random, now)
    const userCode = makeUserCode(ctx.random)
    const code = {
      key: hashSecret(secret),
      userCode: ctx.encryption.match('user-code', userCode),
      clientId,
      scopes: required.join(' '),
      intervalSeconds: config.pollInterval,
      address: ctx.address,
      createdAt: now,
      expiresAt: now + config.lifetimes.deviceCode,
    }
    try {
      await ctx.db.write((trx) => store.insertDeviceCode(trx, code))
    } catch (error) {
      // The user code is in use (probability 1 in 2.6·10^10 per stored code). Try another.
      if (error instanceof UniqueViolation) continue
      throw error
    }
    const shown = formatUserCode(userCode)
    return {
      device_code: secret,
      user_code: shown,
      verification_uri: `${config.authUrl}/oauth_device`,
      verification_uri_complete: `${config.authUrl}/oauth/device/complete/${shown}`,
      expires_in: config.lifetimes.deviceCode / 1000,
      interval: config.pollInterval,
    }
  }
}

/** A device awaiting its user's decision, as shown on the confirmation page. */
export interface WaitingDevice {
  /** `XXXX-XXXX`. */
  readonly userCode: string
  readonly client: OAuthClient
  readonly required: DescribedScope[]
  readonly optional: DescribedScope[]
  /** Client address and time (ms) of the request, to help the user recognize the device. */
  readonly address: string
  readonly createdAt: number
  /** Why this user may not allow the app. */
  readonly refusal: ConsentRefusal | undefined
}

/** The user's decision. `connected` means that the device has fetched its tokens. */
type DeviceDecision = 'allowed' | 'connected' | 'denied'

/** Wrong codes allowed during the lifetime of a code. Many people may share an address. */
const wrongCodeLimits = { person: 5, address: 50 }

/** How the code was submitted. Any website can open a link in the user's browser. */
type CodeSource = 'form' | 'link'

/**
 * Finds the device that a user code belongs to. Returns the user's earlier decision if there is
 * one, and undefined for unknown and expired codes alike. Throws RATE_LIMITED after too many wrong
 * codes. After too many wrong links, returns `unchecked` for links; the form still works.
 */
export async function findWaitingDevice(
  ctx: Context,
  session: Session,
  text: string,
  source: CodeSource = 'form',
): Promise<WaitingDevice | DeviceDecision | 'unchecked' | undefined> {
  const found = await findActiveCode(ctx, session, text, source)
  if (!found || found === 'unchecked') return found
  if (found.code.state !== 'pending') return decisionOf(found.code, session)
  const { code, client, userCode } = found
  const required = parseScopes(code.scopes)
  const optional = client.optionalScopes.filter(
    (scope) => !required.includes(scope) && isWithinRole(session.user, scope),
  )
  return {
    userCode: formatUserCode(userCode),
    client,
    required: describeScopes(required),
    optional: describeScopes(optional),
    address: code.address,
    createdAt: code.createdAt,
    refusal: await findConsentRefusal(ctx, client, session.user, [...required, ...optional]),
  }
}

/**
 * Records a user's decision about a device. Returns undefined if no such device is waiting. The
 * first decision is final; later calls by the same user return it.
 */
export async function decideDevice(
  ctx: Context,
  session: Session,
  decision: { userCode: string; allow: boolean; ticked: readonly string[] },
): Promise<DeviceDecision | undefined> {
  const found = await findActiveCode(ctx, session, decision.userCode, 'form')
  if (!found || found === 'unchecked') return undefined
  const { code, client, userCode } = found
  if (code.state !== 'pending') return decisionOf(code, session)
  const required = parseScopes(code.scopes)
  const ticked = client.optionalScopes.filter((scope) => decision.ticked.includes(scope))
  const scopes = [...new Set([...required, ...ticked])].filter((one) => isRegistered(client, one))
  const isRefused = (await findConsentRefusal(ctx, client, session.user, scopes)) !== undefined
  const state = decision.allow && !isRefused && scopes.length > 0 ? 'authorized' : 'denied'
  const userId = session.user.id
  const isFirst = await ctx.db.write(async (trx) => {
    const decision = { key: code.key, state, userId, scopes: scopes.join(' ') } as const
    if (!(await store.decideDeviceCode(trx, decision))) return false
    const user = { who: userParty(userId), accountId: session.user.accountId }
    const action = state === 'authorized' ? 'device.allowed' : 'device.denied'
    await recordOnApp(ctx, trx, user, action, client.app.id)
    return true
  })
  if (isFirst) return state === 'authorized' ? 'allowed' : 'denied'
  const latest = await store.findByUserCode(
    ctx.db.read,
    ctx.encryption.matches('user-code', userCode),
  )
  return latest && decisionOf(latest, session)
}

/** Returns this user's earlier decision. Decisions of other users are not disclosed. */
function decisionOf({ state, userId, endReason }: store.DeviceCode, { user }: Session) {
  if (userId !== user.id || endReason !== null) return undefined
  if (state === 'denied') return 'denied'
  return state === 'redeemed' ? 'connected' : 'allowed'
}

/** Rate limits of wrong codes. Links have separate limits. */
function limitsOf(ctx: Context, session: Session, source: CodeSource) {
  const window = ctx.config.lifetimes.deviceCode
  const kind = source === 'form' ? 'user-code' : 'user-code-link'
  return [
    { key: `${kind}:session ${session.key}`, limit: wrongCodeLimits.person, window },
    { key: `${kind}:user ${session.user.id}`, limit: wrongCodeLimits.person, window },
    { key: `${kind}:${ctx.address}`, limit: wrongCodeLimits.address, window },
  ]
}

async function findActiveCode(ctx: Context, session: Session, text: string, source: CodeSource) {
  const userCode = readUserCode(text)
  const stored = userCode && ctx.encryption.matches('user-code', userCode)
  const code = stored && (await store.findByUserCode(ctx.db.read, stored))
  const client = code && (await findClient(ctx.db.read, code.clientId))
  const isCurrent = client && code.expiresAt > ctx.steadyNow()
  const isActive = isCurrent && client.app.deviceFlow && client.app.disabledAt === null
  const found = isActive ? { code, client, userCode } : undefined
  const typed = limitsOf(ctx, session, 'form')
  const hasFailed = source === 'form' && !found
  const retryAfter = await secondsToWait(ctx.limiter, typed, { hasFailed })
  if (retryAfter > 0) {
    throw new Failure(429, { message: 'You have entered too many wrong codes.', retryAfter })
  }
  if (source === 'form') return found
  const links = limitsOf(ctx, session, 'link')
  const isBlocked = (await secondsToWait(ctx.limiter, links, { hasFailed: !found })) > 0
  return isBlocked ? 'unchecked' : found
}
