// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings, ListCall } from '../../../call.ts'
import type {
  AppApproval,
  AppDecision,
  MarketplaceSettings,
} from '../../schemas/platform/approvals.ts'

/** The query of `platform.approvals.list`. */
export interface ApprovalsListQuery {
  /** Where the approval stands. */
  state?: 'requested' | 'approved' | 'declined' | 'withdrawn' | undefined
  /** Most entries of a page, 300 at most. Default: 30. */
  page_size?: number | undefined
  /** Of the page before, of the same list; empty for the first. At most 1,000 characters. */
  next_page_token?: string | undefined
  /** Pages have no numbers here: 1 is the first, any other is refused. */
  page_number?: 1 | undefined
}

/** What `platform.approvals.list` answers. */
export interface ApprovalsListResult {
  /** As asked for. */
  page_size: number
  /** Asks for the next page; empty on the last. */
  next_page_token: string
  /** Those of this page, of all states or the one asked for. */
  approvals: AppApproval[]
}

/** The params of `platform.approvals.decide`. */
export interface ApprovalsDecideParams {
  /** The id of the app. For example `de300000-0000-4000-8000-000000000021`. */
  appId: string
}

/** The calls of `approvals`. */
export interface ApprovalsCalls {
  /**
   * List the approvals of the account.
   *
   * What users asked for and admins decided, by the names of the apps.
   *
   * `GET /v2/marketplace/approvals`. Needs an access token with one of the scopes
   * `marketplace:read:app:admin`, `marketplace:read:app:master`. 6,000 calls in any 60 seconds per
   * app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 429, 500, 503)
   */
  readonly list: ListCall<
    [input?: CallSettings & { query?: ApprovalsListQuery | undefined }],
    ApprovalsListResult,
    AppApproval
  >

  /**
   * Approve an app, decline it or withdraw the approval.
   *
   * Asked for or not. An approval is for the name and the scopes that the app has now. Declining
   * or withdrawing ends the tokens of all users of the account for this app at once, and keeps the
   * app shut until it is approved; a public app gets `app_deauthorized` for each of them. What is
   * approved cannot be declined, only withdrawn: 409. If users ask for an approved app because it
   * has changed, declining keeps it as it was approved.
   *
   * `PUT /v2/marketplace/approvals/:appId`. Needs an access token with one of the scopes
   * `marketplace:write:app:admin`, `marketplace:write:app:master`. 6,000 calls in any 60 seconds
   * per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 409, 413, 429, 500, 503)
   */
  readonly decide: (
    input: CallSettings & { params: ApprovalsDecideParams; body: AppDecision },
  ) => Promise<AppApproval>

  /**
   * Read what the account asks of apps.
   *
   * Whether users may authorize only what an admin has approved.
   *
   * `GET /v2/marketplace/settings`. Needs an access token with one of the scopes
   * `marketplace:read:app:admin`, `marketplace:read:app:master`. 6,000 calls in any 60 seconds per
   * app and user.
   *
   * @throws PlatformRequestError (401, 403, 429, 500, 503)
   */
  readonly getSettings: (input?: CallSettings) => Promise<MarketplaceSettings>

  /**
   * Set what the account asks of apps.
   *
   * What users have authorized before lives on.
   *
   * `PATCH /v2/marketplace/settings`. Needs an access token with one of the scopes
   * `marketplace:write:app:admin`, `marketplace:write:app:master`. 6,000 calls in any 60 seconds
   * per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 413, 429, 500, 503)
   */
  readonly updateSettings: (
    input: CallSettings & { body: MarketplaceSettings },
  ) => Promise<MarketplaceSettings>
}
