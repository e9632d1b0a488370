import type { Context } from '../context.ts'
import { countFailure, type FailureLimit, secondsToWait } from '../failure-limit.ts'
import {
  createDatedSecret,
  hashSecret,
  parseSecret,
  type Secret,
  type SecretHash,
} from '../secrets.ts'
import { verifyPassword } from './passwords.ts'
import { deleteSession, findSessionUser, insertSession } from './store/sessions.ts'
import { emailKey, findUserByEmail, type UserRecord, updateLastLogin } from './store/users.ts'

/** Failures that are taken in any `window` (ms), per email and client address and per address. */
const failures = { account: 5, address: 50, window: 300_000 }

/** Life of a session, ms. */
export const sessionLifetime = 12 * 3_600_000

/** What became of a try to sign in. */
export type SignIn =
  | { readonly user: UserRecord }
  | {
      readonly refused: 'mismatch' | 'tooMany'
      /** A sentence for the person; it never tells whether the email is known. */
      readonly message: string
      /** Seconds to wait after too many failures. */
      readonly retryAfter?: number
    }

/**
 * Looks whether email and password belong to a user. An unknown email is answered in the words and
 * the time of a wrong password. After too many failures even the right password is refused, so that
 * guessing on tells nothing. `address` as `clientAddress` folds it. Throws UNAVAILABLE under load.
 */
export async function signIn(
  ctx: Pick<Context, 'db' | 'limiter'>,
  credentials: { email: string; password: string },
  address: string,
): Promise<SignIn> {
  // Postgres takes no NUL in a text, not even to look for it.
  const email = credentials.email.trim().replaceAll('\0', '\ufffd')
  const { window } = failures
  const account = `sign-in:${address}:${emailKey(email).slice(0, 254)}`
  const limits = [
    { key: account, limit: failures.account, window },
    { key: `sign-in-address:${address}`, limit: failures.address, window },
  ]
  const blocked = await tooMany(ctx, limits)
  if (blocked) return blocked
  const found = await findUserByEmail(ctx.db.read, email)
  const matches = await verifyPassword(credentials.password, found?.passwordHash)
  // Others may have failed while this one waited for its hash: a burst gets no further than a row.
  const blockedSince = await tooMany(ctx, limits)
  if (blockedSince) return blockedSince
  if (found && matches) {
    const { passwordHash, ...user } = found
    return { user }
  }
  await countFailure(ctx.limiter, limits)
  return { refused: 'mismatch', message: 'The email or the password is wrong.' }
}

async function tooMany(
  ctx: Pick<Context, 'limiter'>,
  limits: readonly FailureLimit[],
): Promise<SignIn | undefined> {
  const retryAfter = await secondsToWait(ctx.limiter, limits)
  if (retryAfter === 0) return undefined
  const message = `Too many failed attempts. Try again in ${minutes(retryAfter)}.`
  return { refused: 'tooMany', message, retryAfter }
}

function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60)
  return count === 1 ? 'a minute' : `${count} minutes`
}

/** Signs the user in: a new session, always with a secret of its own. */
export async function createSession(
  ctx: Pick<Context, 'db' | 'steadyNow' | 'random'>,
  user: Pick<UserRecord, 'id'>,
): Promise<Secret> {
  const now = ctx.steadyNow()
  const secret = createDatedSecret('session', ctx.random, now)
  const session = { key: hashSecret(secret), userId: user.id, expiresAt: now + sessionLifetime }
  await ctx.db.write(async (trx) => {
    await insertSession(trx, session)
    await updateLastLogin(trx, user.id, now)
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
  ctx: Pick<Context, 'db' | 'steadyNow'>,
  text: string,
): Promise<Session | undefined> {
  const secret = parseSecret('session', text)
  if (!secret) return undefined
  const key = hashSecret(secret)
  const user = await findSessionUser(ctx.db.read, key, ctx.steadyNow())
  return user && { user, key }
}

/** Signs out: the session is good for nothing from now on. */
export async function endSession(ctx: Pick<Context, 'db'>, key: SecretHash): Promise<void> {
  await ctx.db.write((trx) => deleteSession(trx, key))
}
