import type { ListPage } from '../db/page-token.ts'
import { fail, failField } from '../errors/failure.ts'
import type { OAuthContext } from '../oauth/context.ts'
import * as webhooks from '../webhooks/deliveries.ts'
import { validateEndpoint as validate } from '../webhooks/validate.ts'
import { getManagedApp } from './apps.ts'
import type { Developer } from './developer.ts'

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
  const message = await validate(ctx, id)
  if (message !== undefined) failField('body', 'deauthorization_url', message)
}

/** A page of an app's deliveries. Throws app_not_found, and validation_failed for a token of no page of them. */
export async function listManagedDeliveries(
  ctx: Pick<OAuthContext, 'db'>,
  developer: Developer,
  appId: string,
  page: { after: string; limit: number },
): Promise<ListPage<webhooks.Delivery>> {
  const { id } = await getManagedApp(ctx, developer, appId)
  return webhooks.listDeliveries(ctx, id, page)
}

/** Sends an event of an app once more. Throws app_not_found, for the delivery too. */
export async function redeliverManaged(
  ctx: Pick<OAuthContext, 'db' | 'limiter' | 'steadyNow' | 'webhooks'>,
  developer: Developer,
  appId: string,
  deliveryId: string,
): Promise<webhooks.Delivery> {
  const { id } = await getManagedApp(ctx, developer, appId)
  const isKnown = await webhooks.redeliver(ctx, id, deliveryId)
  const delivery = isKnown ? await webhooks.findDelivery(ctx, id, deliveryId) : undefined
  return delivery ?? fail('app_not_found', 'The app has no delivery with this id.')
}
