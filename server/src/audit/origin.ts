import type { Context } from '../context/context.ts'
import { clientAddress, type FromClient, networkOf } from '../limits/client-address.ts'

/** The context of one request: acts that are recorded under it bear the network of its client. */
export const from = <C extends Context>(ctx: C, req: FromClient): C => ({
  ...ctx,
  network: networkOf(clientAddress(req)),
})
