import type { ListPage } from '../db/page-token.ts'
import { fail, failField } from '../errors/failure.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { listDeliveries, redeliver } from '../webhooks/deliveries.ts'
import { type DeliveryRecord, findDeliveryOf } from '../webhooks/store/deliveries.ts'
import { validateEndpoint } from '../webhooks/validate.ts'
import type { Developer } from './developer.ts'
import { getManagedApp } from './managed-apps.ts'

/**
 * Has the endpoint of an app show that it has the secret token. Throws app_not_found, and
 * validation_failed with what is wrong.
 */
export async function validateManagedEndpoint(
  ctx: OAuthContext,
  developer: Developer,
  appId: string,
): Promise<void> {
  const { id } = await getManagedApp(ctx, developer, appId)
  const message = await validateEndpoint(ctx, id)
  if (message !== undefined) failField('body', 'deauthorization_url', message)
}

/** A page of an app's deliveries. Throws app_not_found, and validation_failed for a token of no page of them. */
export async function listManagedDeliveries(
  ctx: Pick<OAuthContext, 'db'>,
  developer: Developer,
  appId: string,
  page: { after: string; limit: number },
): Promise<ListPage<DeliveryRecord>> {
  const { id } = await getManagedApp(ctx, developer, appId)
  return listDeliveries(ctx, id, page)
}

/** Sends an event of an app once more. Throws app_not_found, for the delivery too. */
export async function redeliverManaged(
  ctx: Pick<OAuthContext, 'db' | 'limiter' | 'steadyNow' | 'webhooks'>,
  developer: Developer,
  appId: string,
  deliveryId: string,
): Promise<DeliveryRecord> {
  const { id } = await getManagedApp(ctx, developer, appId)
  const isKnown = await redeliver(ctx, id, deliveryId)
  const delivery = isKnown ? await findDeliveryOf(ctx.db.read, id, deliveryId) : undefined
  return delivery ?? fail('app_not_found', 'The app has no delivery with this id.')
}
