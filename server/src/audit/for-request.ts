import type { IncomingMessage } from 'node:http'
import type { Context } from '../context/context.ts'
import { type ClientSource, clientAddress, networkOf } from '../limits/client-address.ts'
import { signalOf } from '../runtime/request-signal.ts'
import { readTraceparent } from '../runtime/traceparent.ts'

type ClientRequest = ClientSource &
  Pick<IncomingMessage, 'headers'> &
  Parameters<typeof signalOf>[0]

/**
 * Returns the context of a request: its audit entries contain the client's network, and its
 * outgoing requests belong to its trace.
 */
export function forRequest<C extends Context>(ctx: C, req: ClientRequest): C {
  const signal = signalOf(req)
  const address = clientAddress(req)
  const network = networkOf(address)
  return { ...ctx, address, network, signal, trace: readTraceparent(req.headers) }
}
