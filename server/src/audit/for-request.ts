import type { Context } from '../context/context.ts'
import { type ClientSource, clientAddress, networkOf } from '../limits/client-address.ts'
import { signalOf } from '../runtime/request-signal.ts'

type ClientRequest = ClientSource & Parameters<typeof signalOf>[0]

/** Returns the context of a request: its audit entries contain the client's network. */
export function forRequest<C extends Context>(ctx: C, req: ClientRequest): C {
  return { ...ctx, network: networkOf(clientAddress(req)), signal: signalOf(req) }
}
