// Generated from the contract by `npm run generate`: change that, not this file.

import type { WebhookEvent } from './schemas/webhooks.ts'

/** What the payload of each event has: the type of each field, as `typeof` names it. */
export const webhookPayloads: Readonly<
  Record<WebhookEvent['event'], Readonly<Record<string, string>>>
> = {
  app_deauthorized: {
    account_id: 'string',
    user_id: 'string',
    signature: 'string',
    deauthorization_time: 'string',
    client_id: 'string',
  },
  'endpoint.url_validation': { plainToken: 'string' },
}
