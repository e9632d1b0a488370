import type { IncomingHttpHeaders } from 'node:http'
import type { RegistryContext } from '../discovery/context.ts'
import { type ClientSource, clientAddress } from '../limits/client-address.ts'

/** Time within which an installer falls back to the root index, in ms. */
const fallbackTime = 5_000

type Client = ClientSource & { readonly headers: IncomingHttpHeaders }

/** Records that a client requested the index of an owner, repository or skill and was refused. */
export function recordRefusal({ refusedClients, clock }: RegistryContext, req: Client): void {
  refusedClients.set(clientOf(req), clock.monotonic())
}

/**
 * Returns whether a client was just refused an index. `npx skills` 1.5.18 then requests the root
 * index and would install skills from it instead of the one its user named.
 */
export function wasJustRefused({ refusedClients, clock }: RegistryContext, req: Client): boolean {
  const time = refusedClients.get(clientOf(req))
  return time !== undefined && clock.monotonic() - time < fallbackTime
}

/** Distinguishes programs behind one address. */
const clientOf = (req: Client): string =>
  `${clientAddress(req)} ${req.headers['user-agent']?.slice(0, 200)}`
