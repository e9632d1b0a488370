import { equalSecrets } from '../secrets/secrets.ts'
import type { PlatformContext } from './context.ts'
import type { UserRecord } from './store/user-record.ts'

/** How long a browser is known after a sign-in, ms. */
export const knownBrowserLifetime = 180 * 86_400_000

/** Users that one browser is known for. */
const mostUsers = 4

type Known = Pick<UserRecord, 'id'> & { readonly passwordHash: string }

/**
 * What a browser keeps to be known at the next sign-in: id, time and an HMAC of its last users. It opens
 * nothing, but spares the limit of guesses that all browsers share; another password makes it worthless.
 */
export function rememberUser(
  { encryption, steadyNow }: PlatformContext,
  former: string,
  user: Known,
): string {
  const time = steadyNow().toString(36)
  const entry = `${user.id}:${time}:${encryption.match('known-browser', text(user, time))}`
  const others = former.split('~').filter((one) => one !== '' && !one.startsWith(`${user.id}:`))
  return [entry, ...others].slice(0, mostUsers).join('~')
}

/** The entry by which a browser is known to the user; nothing where it is not. */
export function knownEntry(
  { encryption, steadyNow }: PlatformContext,
  kept: string,
  user: Known | undefined,
): string | undefined {
  const entry = user && kept.split('~').find((one) => one.startsWith(`${user.id}:`))
  if (!user || entry === undefined) return undefined
  const [, time = '', proof = ''] = entry.split(':')
  if (Number.parseInt(time, 36) + knownBrowserLifetime < steadyNow()) return undefined
  const proofs = encryption.matches('known-browser', text(user, time))
  return proofs.some((one) => equalSecrets(one, proof)) ? proof : undefined
}

const text = ({ id, passwordHash }: Known, time: string) => `${id}\0${time}\0${passwordHash}`
