import type { Context } from '../context.ts'
import { clientAddress, type FromClient, networkOf } from '../limits/client-address.ts'

/** The context of one request: acts that are recorded under it bear the network of its client. */
export const from = (ctx: Context, req: FromClient): Context => ({
  ...ctx,
  network: networkOf(clientAddress(req)),
})
