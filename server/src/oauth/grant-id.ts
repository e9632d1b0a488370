import type { OAuthContext } from './context.ts'

/** A new grant's id: a UUID of version 7, so that rows lie in the order of their making (RFC 9562). */
export function createGrantId({
  random,
  steadyNow,
}: Pick<OAuthContext, 'random' | 'steadyNow'>): string {
  const time = steadyNow().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.uuid().slice(15)}`
}
