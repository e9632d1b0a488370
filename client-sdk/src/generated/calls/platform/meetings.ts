// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings, ListCall } from '../../../call.ts'
import type {
  ListedMeeting,
  Meeting,
  MeetingChanges,
  MeetingPage,
  NewMeeting,
} from '../../schemas/platform/meetings.ts'

/** The params of `platform.meetings.create`. */
export interface MeetingsCreateParams {
  /**
   * `me` for the user of the token, an id, or an email in any case; another user than the own
   * needs admin scopes. For example `me`.
   */
  userId: string
}

/** The query of `platform.meetings.list`. */
export interface MeetingsListQuery {
  /**
   * `scheduled`: all but the personal one. `live`: going on. `upcoming`, also `upcoming_meetings`:
   * going on, or with an occurrence that is not over. `previous_meetings`: ended by the host, or
   * with all occurrences over. Default: "scheduled".
   */
  type?: 'scheduled' | 'live' | 'upcoming' | 'upcoming_meetings' | 'previous_meetings' | undefined
  /** Most entries of a page, 300 at most. Default: 30. */
  page_size?: number | undefined
  /** Of the page before, of the same list; empty for the first. At most 1,000 characters. */
  next_page_token?: string | undefined
  /** Pages have no numbers here: 1 is the first, any other is refused. */
  page_number?: 1 | undefined
}

/** The params of `platform.meetings.get`. */
export interface MeetingsGetParams {
  /** The number of the meeting, digits alone. For example `12345678901`. */
  meetingId: string
}

/** The query of `platform.meetings.remove`. */
export interface MeetingsRemoveQuery {
  /** The occurrence to remove; the whole meeting when absent. For example `1795255200000`. */
  occurrence_id?: string | undefined
}

/** The calls of `meetings`. */
export interface MeetingsCalls {
  /**
   * Create a meeting.
   *
   * A meeting of type 8 has all its occurrences at once, 60 at most: every one at the same time on
   * the clocks of its time zone. A time that the clocks skip in spring is moved on by what they
   * skip; of one that they show twice in autumn it is the first. A start in the past is allowed.
   * Of a day that its place has skipped there is no occurrence. With `schedule_for` the host is
   * the user that it names.
   *
   * `POST /v2/users/:userId/meetings`. Needs an access token with one of the scopes
   * `meeting:write:meeting`, `meeting:write:meeting:admin`, `meeting:write:meeting:master`,
   * `meeting:write`, `meeting:write:admin`, `meeting:master`. 6,000 calls in any 60 seconds per
   * app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 413, 429, 500, 503)
   */
  readonly create: (
    input: CallSettings & { params: MeetingsCreateParams; body: NewMeeting },
  ) => Promise<Meeting>

  /**
   * List a user's meetings.
   *
   * Those created last come first, and pages never overlap. Ask again with `next_page_token` until
   * it is empty.
   *
   * `GET /v2/users/:userId/meetings`. Needs an access token with one of the scopes
   * `meeting:read:list_meetings`, `meeting:read:list_meetings:admin`,
   * `meeting:read:list_meetings:master`, `meeting:read`, `meeting:read:admin`, `meeting:master`.
   * 6,000 calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 429, 500, 503)
   */
  readonly list: ListCall<
    [input: CallSettings & { params: MeetingsCreateParams; query?: MeetingsListQuery | undefined }],
    MeetingPage,
    ListedMeeting
  >

  /**
   * Read a meeting.
   *
   * A meeting of another host needs admin scopes; what the token does not reach is answered like
   * what does not exist.
   *
   * `GET /v2/meetings/:meetingId`. Needs an access token with one of the scopes
   * `meeting:read:meeting`, `meeting:read:meeting:admin`, `meeting:read:meeting:master`,
   * `meeting:read`, `meeting:read:admin`, `meeting:write`, `meeting:write:admin`,
   * `meeting:master`. 6,000 calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (401, 403, 404, 429, 500, 503)
   */
  readonly get: (input: CallSettings & { params: MeetingsGetParams }) => Promise<Meeting>

  /**
   * Change a meeting.
   *
   * Takes any of what a new meeting takes. Another `start_time`, `duration`, `timezone`, `type` or
   * `recurrence` makes the occurrences of type 8 anew; one that is not named again begins where it
   * began. Types 2, 3 and 8 may become one another. Of a personal meeting only `topic`, `agenda`,
   * `password`, `settings`, `duration` and `timezone` may change. `schedule_for` gives it to
   * another host of the same account.
   *
   * `PATCH /v2/meetings/:meetingId`. Needs an access token with one of the scopes
   * `meeting:update:meeting`, `meeting:update:meeting:admin`, `meeting:update:meeting:master`,
   * `meeting:write`, `meeting:write:admin`, `meeting:master`. 6,000 calls in any 60 seconds per
   * app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 409, 413, 429, 500, 503)
   */
  readonly update: (
    input: CallSettings & { params: MeetingsGetParams; body: MeetingChanges },
  ) => Promise<undefined>

  /**
   * Delete a meeting, or one of its occurrences.
   *
   * With the last occurrence the meeting goes too. A personal meeting stays as long as its user.
   *
   * `DELETE /v2/meetings/:meetingId`. Needs an access token with one of the scopes
   * `meeting:delete:meeting`, `meeting:delete:meeting:admin`, `meeting:delete:meeting:master`,
   * `meeting:write`, `meeting:write:admin`, `meeting:master`. 6,000 calls in any 60 seconds per
   * app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 409, 429, 500, 503)
   */
  readonly remove: (
    input: CallSettings & { params: MeetingsGetParams; query?: MeetingsRemoveQuery | undefined },
  ) => Promise<undefined>
}
