import { LRUCache } from 'lru-cache'
import type { RegistryContext } from '../discovery/context.ts'
import type { Readmes } from '../discovery/readmes.ts'

/** Time within which an installer falls back to the root index, in ms. */
const fallbackTime = 5_000

/** Time of the last refused index request, by server and client address. */
const refusals = new WeakMap<Readmes, LRUCache<string, number>>()

/** Records that a client requested the index of an owner, repository or skill and was refused. */
export function recordRefusal({ readmes, clock }: RegistryContext, client: string): void {
  const times = refusals.get(readmes) ?? new LRUCache<string, number>({ max: 10_000 })
  refusals.set(readmes, times)
  times.set(client, clock.monotonic())
}

/**
 * Returns whether a client was just refused an index. `npx skills` 1.5.18 then requests the root
 * index and would install skills from it instead of the one its user named.
 */
export function wasJustRefused({ readmes, clock }: RegistryContext, client: string): boolean {
  const time = refusals.get(readmes)?.get(client)
  return time !== undefined && clock.monotonic() - time < fallbackTime
}
