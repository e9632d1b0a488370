import { equalSecrets } from '../secrets/secrets.ts'
import type { PlatformContext } from './context.ts'
import type { UserRecord } from './store/user-record.ts'

/** Milliseconds. */
export const knownBrowserLifetime = 180 * 86_400_000

/** Maximum number of users that a browser is known for. */
const maxUsers = 4

type KnownUser = Pick<UserRecord, 'id'> & { readonly passwordHash: string }

/**
 * Returns the cookie value that marks the browser as known: id, time and an HMAC of its latest
 * users. It does not sign anyone in. It gives the browser its own limit of failed sign-ins. A
 * password change invalidates it.
 */
export function rememberUser(
  { encryption, steadyNow }: PlatformContext,
  former: string,
  user: KnownUser,
): string {
  const time = steadyNow().toString(36)
  const entry = `${user.id}:${time}:${encryption.match('known-browser', text(user, time))}`
  const others = former.split('~').filter((one) => one !== '' && !one.startsWith(`${user.id}:`))
  return [entry, ...others].slice(0, maxUsers).join('~')
}

/** Returns the proof that a browser is known to the user, or undefined. */
export function knownEntry(
  { encryption, steadyNow }: PlatformContext,
  kept: string,
  user: KnownUser | undefined,
): string | undefined {
  const entry = user && kept.split('~').find((one) => one.startsWith(`${user.id}:`))
  if (!user || entry === undefined) return undefined
  const [, time = '', proof = ''] = entry.split(':')
  if (Number.parseInt(time, 36) + knownBrowserLifetime < steadyNow()) return undefined
  const proofs = encryption.matches('known-browser', text(user, time))
  return proofs.some((one) => equalSecrets(one, proof)) ? proof : undefined
}

const text = ({ id, passwordHash }: KnownUser, time: string) => `${id}\0${time}\0${passwordHash}`
