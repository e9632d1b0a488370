import { record, userParty } from '../audit/record.ts'
import { networkOf } from '../limits/client-address.ts'
import { secondsToWait } from '../limits/rate-limiter.ts'
import {
  createDatedSecret,
  hashSecret,
  parseSecret,
  type Secret,
  type SecretHash,
} from '../secrets/secrets.ts'
import type { PlatformContext } from './context.ts'
import { knownEntry, rememberUser } from './known-browser.ts'
import { verifyPassword } from './passwords.ts'
import { deleteSession, findSessionUser, insertSession } from './store/sessions.ts'
import { updateLastLogin } from './store/user-changes.ts'
import { emailKey, type UserRecord } from './store/user-record.ts'
import { findUserByEmail } from './store/users.ts'

/**
 * Failures that are taken in any `window` (ms): per email and client address, per address over all
 * emails, and per email and network. A known browser has a count of its own in place of the last.
 */
const failures = { account: 5, address: 50, network: 10, browser: 10, window: 300_000 }

/**
 * Failures per email from everywhere. It slows guesses and locks nobody out: the owner's next try counts
 * as soon as a failure leaves the window, and a known browser never waits for it.
 */
const target = { limit: 10, window: 60_000 }

/** Only who knows the password reads it. */
const disabledMessage = 'This user has been disabled. Ask whoever runs this service.'

/** Life of a session, ms. */
export const sessionLifetime = 12 * 3_600_000

export type SignIn =
  /** `browser` is what it keeps to be known from now on. */
  | { readonly user: UserRecord; readonly browser: string }
  | {
      readonly refused: 'mismatch' | 'tooMany' | 'disabled'
      /** A sentence for the person; it never tells whether the email is known. */
      readonly message: string
      /** Seconds to wait after too many failures. */
      readonly retryAfter?: number
    }

/**
 * Checks email and password; an unknown email gets the words and the time of a wrong password, and too
 * many failures refuse the right one too, so that guessing tells nothing.
 */
export async function signIn(
  ctx: PlatformContext,
  credentials: { email: string; password: string },
  address: string,
  browser = '',
): Promise<SignIn> {
  // Postgres takes no NUL in a text, not even to look for it.
  const email = credentials.email.trim().replaceAll('\0', '\ufffd')
  const found = await findUserByEmail(ctx.db.read, email)
  const known = knownEntry(ctx, browser, found)
  const limits = limitsOf(emailKey(email).slice(0, 254), address, known)
  const blocked = await tooMany(ctx, limits)
  if (blocked) return blocked
  const claim = { source: address, signal: ctx.signal }
  const matches = await verifyPassword(credentials.password, found?.passwordHash, claim)
  // Others may have failed while this one waited for its hash: a burst gets no further than a row.
  const blockedSince = await tooMany(ctx, limits)
  if (blockedSince) return blockedSince
  if (found && matches) {
    const { passwordHash, ...user } = found
    if (user.disabledAt !== null) return { refused: 'disabled', message: disabledMessage }
    return { user, browser: rememberUser(ctx, browser, found) }
  }
  ctx.failedSignIns.note(found, address)
  await secondsToWait(ctx.limiter, [...limits.source, ...limits.target], { hasFailed: true })
  return { refused: 'mismatch', message: 'The email or password is wrong.' }
}

/** Limits by where an attempt comes from, and by whom it is about. */
function limitsOf(email: string, address: string, known: string | undefined) {
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

async function tooMany(
  ctx: PlatformContext,
  { source, target }: ReturnType<typeof limitsOf>,
): Promise<SignIn | undefined> {
  const [own, others] = await Promise.all([
    secondsToWait(ctx.limiter, source),
    secondsToWait(ctx.limiter, target),
  ])
  const retryAfter = Math.max(own, others)
  if (retryAfter === 0) return undefined
  const wayOut = own === 0 ? ', or use a browser that you have signed in with before' : ''
  const message = `Too many failed attempts. Try again in ${minutes(retryAfter)}${wayOut}.`
  return { refused: 'tooMany', message, retryAfter }
}

function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60)
  return count === 1 ? 'a minute' : `${count} minutes`
}

/** Signs the user in: a new session, always with a secret of its own. */
export async function createSession(
  ctx: PlatformContext,
  user: Pick<UserRecord, 'id'>,
): Promise<Secret> {
  const now = ctx.steadyNow()
  const secret = createDatedSecret('session', ctx.random, now)
  const session = { key: hashSecret(secret), userId: user.id, expiresAt: now + sessionLifetime }
  await ctx.db.write(async (trx) => {
    await insertSession(trx, session)
    const accountId = await updateLastLogin(trx, user.id, now)
    await record(ctx, trx, { action: 'sign-in', who: userParty(user.id), accountId })
  })
  return secret
}

/** Who is signed in, and the key that the session is stored by. */
export interface Session {
  readonly user: UserRecord
  readonly key: SecretHash
}

/** The session of a secret; nothing when it is over or there is none. */
export async function findSession(
  ctx: PlatformContext,
  text: string,
): Promise<Session | undefined> {
  const secret = parseSecret('session', text)
  if (!secret) return undefined
  const key = hashSecret(secret)
  const user = await findSessionUser(ctx.db.read, { key, now: ctx.steadyNow() })
  return user && { user, key }
}

/** Signs out: the session is good for nothing from now on. */
export async function endSession(ctx: PlatformContext, key: SecretHash): Promise<void> {
  await ctx.db.write((trx) => deleteSession(trx, key))
}
