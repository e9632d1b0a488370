// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings, ListCall } from '../../../call.ts'
import type { Delivery, EndpointValidation } from '../../schemas/platform/deliveries.ts'

/** The params of `platform.deliveries.validateEndpoint`. */
export interface DeliveriesValidateEndpointParams {
  /**
   * The id of the app; one that the caller does not manage is not found. For example
   * `de300000-0000-4000-8000-000000000021`.
   */
  appId: string
}

/** The query of `platform.deliveries.list`. */
export interface DeliveriesListQuery {
  /** Most entries of a page, 300 at most. Default: 30. */
  page_size?: number | undefined
  /** Of the page before, of the same list; empty for the first. At most 1,000 characters. */
  next_page_token?: string | undefined
  /** Pages have no numbers here: 1 is the first, any other is refused. */
  page_number?: 1 | undefined
}

/** What `platform.deliveries.list` answers. */
export interface DeliveriesListResult {
  /** As asked for. */
  page_size: number
  /** Asks for the next page; empty on the last. */
  next_page_token: string
  /** The deliveries of this page. */
  deliveries: Delivery[]
}

/** The params of `platform.deliveries.redeliver`. */
export interface DeliveriesRedeliverParams {
  /**
   * The id of the app; one that the caller does not manage is not found. For example
   * `de300000-0000-4000-8000-000000000021`.
   */
  appId: string
  /** The id of the delivery. For example `de300000-0000-4000-8000-000000000031`. */
  deliveryId: string
}

/** The calls of `deliveries`. */
export interface DeliveriesCalls {
  /**
   * Validate the endpoint of an app.
   *
   * Sends `endpoint.url_validation` to the deauthorization address. Where the answer is not right,
   * or validations are asked for too often, code 300 says why.
   *
   * `POST /v2/marketplace/apps/:appId/validate_endpoint`. Needs an access token with one of the
   * scopes `marketplace:write:app`, `marketplace:write:app:admin`, `marketplace:write:app:master`.
   * 6,000 calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 429, 500, 503)
   */
  readonly validateEndpoint: (
    input: CallSettings & { params: DeliveriesValidateEndpointParams },
  ) => Promise<EndpointValidation>

  /**
   * List the deliveries of an app.
   *
   * The newest first; they are kept for 30 days.
   *
   * `GET /v2/marketplace/apps/:appId/deliveries`. Needs an access token with one of the scopes
   * `marketplace:read:app`, `marketplace:read:app:admin`, `marketplace:read:app:master`. 6,000
   * calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 429, 500, 503)
   */
  readonly list: ListCall<
    [
      input: CallSettings & {
        params: DeliveriesValidateEndpointParams
        query?: DeliveriesListQuery | undefined
      },
    ],
    DeliveriesListResult,
    Delivery
  >

  /**
   * Deliver an event once more.
   *
   * At once, also where it was delivered or given up; once in 10 seconds at most. The id stays.
   *
   * `POST /v2/marketplace/apps/:appId/deliveries/:deliveryId/redeliver`. Needs an access token
   * with one of the scopes `marketplace:write:app`, `marketplace:write:app:admin`,
   * `marketplace:write:app:master`. 6,000 calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (401, 403, 404, 429, 500, 503)
   */
  readonly redeliver: (
    input: CallSettings & { params: DeliveriesRedeliverParams },
  ) => Promise<Delivery>
}
