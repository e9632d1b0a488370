// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type {
  AppIndicator,
  ContentAccess,
  ContentAccessReport,
} from '../../schemas/platform/content-access.ts'

/** The params of `platform.contentAccess.report`. */
export interface ContentAccessReportParams {
  /** Number of the meeting. For example `12345678901`. */
  meetingId: string
}

/** The params of `platform.contentAccess.end`. */
export interface ContentAccessEndParams {
  /** Number of the meeting. For example `12345678901`. */
  meetingId: string
  /** Id of the record. 1 to 100 characters. For example `de300000-0000-4000-8000-000000000014`. */
  id: string
}

/** The query of `platform.contentAccess.getIndicator`. */
export interface ContentAccessGetIndicatorQuery {
  /** Version of the meeting client; the indicator is supported from 5.6.7. For example `5.6.7`. */
  client_version?: string | undefined
  /**
   * Version of the meeting SDK instead; the indicator is supported from 5.9.0. For example
   * `5.9.0`.
   */
  meeting_sdk_version?: string | undefined
}

/** The calls of `contentAccess`. */
export interface ContentAccessCalls {
  /**
   * Report access to content of a meeting.
   *
   * Tells everyone in the meeting that the app reads or hears it from now on. Reporting the same
   * again while it is active gives the same record. It ends by the DELETE, with the meeting, and
   * as soon as the app is removed, disabled or revoked. A meeting that is over takes none: 409.
   *
   * `POST /v2/meetings/:meetingId/content_access`. Needs an access token with one of the scopes
   * `meeting:read:meeting`, `meeting:read:meeting:admin`, `meeting:read:meeting:master`,
   * `meeting:read:list_meetings`, `meeting:read:list_meetings:admin`,
   * `meeting:read:list_meetings:master`, `meeting:write:meeting`, `meeting:write:meeting:admin`,
   * `meeting:write:meeting:master`, `meeting:update:meeting`, `meeting:update:meeting:admin`,
   * `meeting:update:meeting:master`, `meeting:delete:meeting`, `meeting:delete:meeting:admin`,
   * `meeting:delete:meeting:master`, `meeting:read`, `meeting:read:admin`, `meeting:write`,
   * `meeting:write:admin`, `meeting:master`. 6,000 calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 409, 413, 429, 500, 503)
   */
  readonly report: (
    input: CallSettings & { params: ContentAccessReportParams; body: ContentAccessReport },
  ) => Promise<ContentAccess>

  /**
   * End access to content of a meeting.
   *
   * Takes what the app has reported off the indicator. Ending it again changes nothing. What
   * another app or account has reported is not found: 404.
   *
   * `DELETE /v2/meetings/:meetingId/content_access/:id`. Needs an access token with one of the
   * scopes `meeting:read:meeting`, `meeting:read:meeting:admin`, `meeting:read:meeting:master`,
   * `meeting:read:list_meetings`, `meeting:read:list_meetings:admin`,
   * `meeting:read:list_meetings:master`, `meeting:write:meeting`, `meeting:write:meeting:admin`,
   * `meeting:write:meeting:master`, `meeting:update:meeting`, `meeting:update:meeting:admin`,
   * `meeting:update:meeting:master`, `meeting:delete:meeting`, `meeting:delete:meeting:admin`,
   * `meeting:delete:meeting:master`, `meeting:read`, `meeting:read:admin`, `meeting:write`,
   * `meeting:write:admin`, `meeting:master`. 6,000 calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (401, 403, 404, 429, 500, 503)
   */
  readonly end: (input: CallSettings & { params: ContentAccessEndParams }) => Promise<undefined>

  /**
   * Read the in-meeting indicator.
   *
   * What a meeting client shows: an icon while apps have real-time access to content of the
   * meeting, and a tooltip that names the content type and the approving account. Older clients do
   * not support it.
   *
   * `GET /v2/meetings/:meetingId/app_indicator`. Needs an access token with one of the scopes
   * `meeting:read:meeting`, `meeting:read:meeting:admin`, `meeting:read:meeting:master`,
   * `meeting:read:list_meetings`, `meeting:read:list_meetings:admin`,
   * `meeting:read:list_meetings:master`, `meeting:write:meeting`, `meeting:write:meeting:admin`,
   * `meeting:write:meeting:master`, `meeting:update:meeting`, `meeting:update:meeting:admin`,
   * `meeting:update:meeting:master`, `meeting:delete:meeting`, `meeting:delete:meeting:admin`,
   * `meeting:delete:meeting:master`, `meeting:read`, `meeting:read:admin`, `meeting:write`,
   * `meeting:write:admin`, `meeting:master`. 6,000 calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 429, 500, 503)
   */
  readonly getIndicator: (
    input: CallSettings & {
      params: ContentAccessReportParams
      query?: ContentAccessGetIndicatorQuery | undefined
    },
  ) => Promise<AppIndicator>
}
