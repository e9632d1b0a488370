import type { platformContract } from '@skillpass/contract'
import { fail, refuseField } from '../../errors/failure.ts'
import type { BearerHandlers } from '../../people/http.ts'
import { listDeliveries, redeliver } from '../../webhooks/deliveries.ts'
import { serializeDelivery } from '../../webhooks/serialize.ts'
import { validateEndpoint } from '../../webhooks/validate.ts'
import { managerOfToken } from '../apps/app-manager.ts'
import { getManagedApp } from '../apps/apps.ts'

export const deliveriesHandlers: BearerHandlers<typeof platformContract.deliveries> = {
  validateEndpoint: async ({ ctx, caller, params }) => {
    const { id } = await getManagedApp(ctx, await managerOfToken(ctx, caller), params.appId)
    const message = await validateEndpoint(ctx, id)
    if (message !== undefined) refuseField('body', 'deauthorization_url', message)
    return { status: 'valid' as const }
  },
  list: async ({ ctx, caller, params, query: { page_size, next_page_token } }) => {
    const { id } = await getManagedApp(ctx, await managerOfToken(ctx, caller), params.appId)
    const found = await listDeliveries(ctx, id, { after: next_page_token, limit: page_size })
    return {
      page_size,
      next_page_token: found.nextPageToken,
      deliveries: found.items.map(serializeDelivery),
    }
  },
  redeliver: async ({ ctx, caller, params }) => {
    const { id } = await getManagedApp(ctx, await managerOfToken(ctx, caller), params.appId)
    const delivery = await redeliver(ctx, id, params.deliveryId)
    if (!delivery) fail('app_not_found', 'The app has no delivery with this id.')
    return serializeDelivery(delivery)
  },
}
