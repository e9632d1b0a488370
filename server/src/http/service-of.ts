import type { Service } from '../config/config.ts'

/** The service whose routes stand at an address; what is no other's is the registry's. */
export function serviceOf(path: string): Service {
  if (/^\/(oauth|\.well-known)(\/|$)/i.test(path)) return 'oauth'
  return /^\/v2(\/|$)/i.test(path) ? 'platform' : 'registry'
}
