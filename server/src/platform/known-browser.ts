import { equalSecrets } from '../secrets/secrets.ts'
import type { PlatformContext } from './context.ts'
import type { UserRecord } from './store/user-record.ts'

/** Milliseconds. */
export const knownBrowserLifetime = 180 * 86_400_000

/** Maximum number of users that a browser is known for. */
const maxUsers = 4

type KnownUser = Pick<UserRecord, 'id'> & { readonly passwordHash: string }

/**
 * Returns a cookie that lists the browser's latest users: for each the id, the time and an HMAC. It
 * does not sign anyone in. Sign-ins of a listed user from this browser have a separate limit of
 * failures. A password change invalidates the user's entry.
 */
export function rememberUser(
  { encryption, steadyNow }: PlatformContext,
  cookie: string,
  user: KnownUser,
): string {
  const time = steadyNow().toString(36)
  const entry = `${user.id}:${time}:${encryption.match('known-browser', text(user, time))}`
  const others = cookie.split('~').filter((one) => one !== '' && !one.startsWith(`${user.id}:`))
  return [entry, ...others].slice(0, maxUsers).join('~')
}

/** Returns the HMAC of the user's entry in the cookie, or undefined if none is valid. */
export function knownBrowserProof(
  { encryption, steadyNow }: PlatformContext,
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
