import type { IncomingMessage } from 'node:http'
import type { Context } from '../context/context.ts'
import { clientAddress, type FromClient, networkOf } from '../limits/client-address.ts'
import { signalOf } from '../runtime/request-signal.ts'
import { readTraceparent } from '../runtime/traceparent.ts'

type ClientRequest = FromClient & Pick<IncomingMessage, 'headers'> & Parameters<typeof signalOf>[0]

/**
 * The context of one request: acts that are recorded under it bear the network of its client, and what
 * is sent elsewhere belongs to its trace.
 */
export function from<C extends Context>(ctx: C, req: ClientRequest): C {
  const signal = signalOf(req)
  const network = networkOf(clientAddress(req))
  return { ...ctx, network, signal, trace: readTraceparent(req.headers) }
}
