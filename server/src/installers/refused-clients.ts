import { LRUCache } from 'lru-cache'
import type { RegistryContext } from '../discovery/context.ts'
import type { Readmes } from '../discovery/readmes.ts'

/** Milliseconds within which an installer goes on to the root. */
const soon = 5_000

/** When an index below the root last refused a client, by address, for each server. */
const refusals = new WeakMap<Readmes, LRUCache<string, number>>()

/** Notes that a client got no index at the address of an owner, a repository or a skill. */
export function noteRefused({ readmes, clock }: RegistryContext, client: string): void {
  const times = refusals.get(readmes) ?? new LRUCache<string, number>({ max: 10_000 })
  refusals.set(readmes, times)
  times.set(client, clock.monotonic())
}

/**
 * Whether a client has just got no index at an address. `npx skills` 1.5.18 then asks the root, and would install what
 * it finds there in place of what its user named.
 */
export function isJustRefused({ readmes, clock }: RegistryContext, client: string): boolean {
  const time = refusals.get(readmes)?.get(client)
  return time !== undefined && clock.monotonic() - time < soon
}
