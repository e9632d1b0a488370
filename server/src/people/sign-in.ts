import { record, userParty } from '../audit/record.ts'
import type { Context } from '../runtime/context.ts'
import { networkOf } from '../runtime/limits/client-address.ts'
import { secondsToWait } from '../runtime/limits/rate-limiter.ts'
import { dayLength } from '../runtime/time.ts'
import {
  createDatedSecret,
  equalSecrets,
  hashSecret,
  parseSecret,
  type SecretHash,
} from '../secrets/secrets.ts'
import { deleteSession, findSessionUser, insertSession } from '../store/platform/sessions.ts'
import {
  emailKey,
  findUserByEmail,
  type UserRecord,
  updateLastLogin,
} from '../store/platform/users.ts'

/**
 * Failed sign-ins allowed in any `window` (ms): per email and client address, per client address,
 * and per email and network. A known browser has its own limit instead of the last one.
 */
const failures = { account: 5, address: 50, network: 10, browser: 10, window: 300_000 }

/**
 * Failed sign-ins allowed per email from all sources. It slows guessing without locking the user
 * out: an attempt is checked as soon as one failure is older than the window, and known browsers
 * are exempt.
 */
const target = { limit: 10, window: 60_000 }

/** Only shown after the right password. */
const disabledMessage = 'Your user has been disabled. Contact the operator of this service.'

/** Lifetime of a session, ms. */
export const sessionLifetime = 12 * 3_600_000

/** A user who may enter. `known` is the cookie value that marks the browser as known. */
export interface Entry {
  readonly user: UserRecord
  readonly known: string
}

type SignIn =
  | Entry
  | {
      readonly refused: 'mismatch' | 'tooMany' | 'disabled'
      /** Message for the user. It never reveals whether the email is known. */
      readonly message: string
      /** Seconds to wait after too many failures. */
      readonly retryAfter?: number
    }

/**
 * Checks email and password. An unknown email gets the same message after the same time as a wrong
 * password. After too many failures the right password is refused too, so that guesses reveal
 * nothing.
 */
export async function signIn(
  ctx: Context,
  credentials: { email: string; password: string },
  browser = '',
): Promise<SignIn> {
  // Postgres does not accept NUL in a query.
  const email = credentials.email.trim().replaceAll('\0', '\ufffd')
  const found = await findUserByEmail(ctx.db.read, email)
  const known = knownBrowserProof(ctx, browser, found)
  const limits = limitsOf(ctx, emailKey(email).slice(0, 254), known)
  const blocked = await tooMany(ctx, limits)
  if (blocked) return blocked
  const claim = { source: ctx.address, signal: ctx.signal }
  const matches = await ctx.passwords.verify(credentials.password, found?.passwordHash, claim)
  // Check again, because concurrent attempts may have failed during the hash.
  const blockedSince = await tooMany(ctx, limits)
  if (blockedSince) return blockedSince
  if (found && matches) {
    const { passwordHash, ...user } = found
    if (user.disabledAt !== null) return { refused: 'disabled', message: disabledMessage }
    return { user, known: rememberUser(ctx, browser, found) }
  }
  ctx.failedSignIns.note(found, ctx.address)
  await secondsToWait(ctx.limiter, [...limits.source, ...limits.target], { hasFailed: true })
  return { refused: 'mismatch', message: 'The email or password is wrong.' }
}

/** Rate limits by the source of an attempt and by its target. */
function limitsOf({ address }: Context, email: string, known: string | undefined) {
  const { window } = failures
  const network = `sign-in-network:${networkOf(address)}:${email}`
  return {
    source: [
      { key: `sign-in:${address}:${email}`, limit: failures.account, window },
      { key: `sign-in-address:${address}`, limit: failures.address, window },
    ],
    target: known
      ? [{ key: `sign-in-browser:${known}`, limit: failures.browser, window }]
      : [
          { key: network, limit: failures.network, window },
          { key: `sign-in-target:${email}`, ...target },
        ],
  }
}

async function tooMany(ctx: Context, { source, target }: ReturnType<typeof limitsOf>) {
  const [sourceWait, targetWait] = await Promise.all([
    secondsToWait(ctx.limiter, source),
    secondsToWait(ctx.limiter, target),
  ])
  const retryAfter = Math.max(sourceWait, targetWait)
  if (retryAfter === 0) return undefined
  const alternative =
    sourceWait === 0 ? ', or use a browser that you have signed in with before' : ''
  const message = `Too many failed attempts. Try again in ${minutes(retryAfter)}${alternative}.`
  return { refused: 'tooMany' as const, message, retryAfter }
}

function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60)
  return count === 1 ? 'a minute' : `${count} minutes`
}

/** Signs a user in and returns the session's secret. `browser` names the browser for the user. */
export async function createSession(ctx: Context, user: Pick<UserRecord, 'id'>, browser: string) {
  const now = ctx.steadyNow()
  const secret = createDatedSecret('session', ctx.random, now)
  const session = { key: hashSecret(secret), userId: user.id, expiresAt: now + sessionLifetime }
  await ctx.db.write(async (trx) => {
    await insertSession(trx, { ...session, network: ctx.network ?? '', browser })
    const accountId = await updateLastLogin(trx, user.id, now)
    await record(ctx, trx, { action: 'sign-in', who: userParty(user.id), accountId })
  })
  return secret
}

export interface Session {
  readonly user: UserRecord
  readonly key: SecretHash
}

/** Finds a session by its secret. Returns undefined if it is unknown or has expired. */
export async function findSession(ctx: Context, text: string) {
  const secret = parseSecret('session', text)
  if (!secret) return undefined
  const key = hashSecret(secret)
  const user = await findSessionUser(ctx.db.read, { key, now: ctx.steadyNow() })
  return user && { user, key }
}

export async function endSession(ctx: Context, key: SecretHash): Promise<void> {
  await ctx.db.write((trx) => deleteSession(trx, key))
}

/** Milliseconds. */
export const knownBrowserLifetime = 180 * dayLength

/** Maximum number of users that a browser is known for. */
const maxUsers = 4

type KnownUser = Pick<UserRecord, 'id'> & { readonly passwordHash: string }

/**
 * Returns a cookie that lists the browser's latest users: for each the id, the time and an HMAC. It
 * does not sign anyone in. Sign-ins of a listed user from this browser have a separate limit of
 * failures. A password change invalidates the user's entry.
 */
export function rememberUser({ encryption, steadyNow }: Context, cookie: string, user: KnownUser) {
  const time = steadyNow().toString(36)
  const entry = `${user.id}:${time}:${encryption.match('known-browser', text(user, time))}`
  const others = cookie.split('~').filter((one) => one !== '' && !one.startsWith(`${user.id}:`))
  return [entry, ...others].slice(0, maxUsers).join('~')
}

/** Returns the HMAC of the user's entry in the cookie, or undefined if none is valid. */
function knownBrowserProof(
  { encryption, steadyNow }: Context,
  cookie: string,
  user: KnownUser | undefined,
): string | undefined {
  const entry = user && cookie.split('~').find((one) => one.startsWith(`${user.id}:`))
  if (!user || entry === undefined) return undefined
  const [, time = '', proof = ''] = entry.split(':')
  if (Number.parseInt(time, 36) + knownBrowserLifetime < steadyNow()) return undefined
  const proofs = encryption.matches('known-browser', text(user, time))
  return proofs.some((one) => equalSecrets(one, proof)) ? proof : undefined
}

const text = ({ id, passwordHash }: KnownUser, time: string) => `${id}\0${time}\0${passwordHash}`
