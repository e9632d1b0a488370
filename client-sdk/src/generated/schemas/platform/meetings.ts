// Generated from the contract by `npm run generate`: change that, not this file.

/** A meeting as it is asked for. What is null or empty counts as absent. */
export interface NewMeeting {
  /**
   * What it is about; of a new one "My Meeting" when absent. At most 200 characters. For example
   * `Planning`.
   */
  topic?: string | undefined
  /**
   * 1 is instant, 2 scheduled (when absent), 3 recurring without fixed times, 8 recurring at fixed
   * times.
   */
  type?: 1 | 2 | 3 | 8 | undefined
  /**
   * In UTC (`2026-11-21T10:00:00Z`), with an offset, or without either as the clocks of `timezone`
   * show it. New ones of types 2 and 8 start now when it is absent; for types 1 and 3 it is left
   * aside. For example `2026-11-21T10:00:00Z`.
   */
  start_time?: string | undefined
  /** Minutes, 60 when absent. 1 to 1,440. */
  duration?: number | undefined
  /**
   * Name of the IANA time zone database; of a new one the host's when absent. Occurrences keep
   * their time on its clocks. For example `Europe/Berlin`.
   */
  timezone?: string | undefined
  /** What will be done. At most 2,000 characters. For example `Goals of the next quarter`. */
  agenda?: string | undefined
  /**
   * The passcode to join with, 6 to 10 characters; one is made for a new meeting when it is
   * absent. A shorter one of before goes on working. For example `a1B2c3`.
   */
  password?: string | undefined
  /**
   * Id or email of the user who is to be its host, in place of the one of the path: another than
   * the own needs admin scopes. At most 320 characters. For example `user@acme.test`.
   */
  schedule_for?: string | undefined
  /** Type 8 needs it. For type 3 it is a note; for types 1 and 2 it is left aside. */
  recurrence?: NewRecurrence | undefined
  /** How it is held; what is absent is as usual, or as it was. */
  settings?:
    | {
        /** Starts with the host's video. */
        host_video?: boolean | undefined
        /** Starts with the participants' video. */
        participant_video?: boolean | undefined
        /** Participants may join before the host. */
        join_before_host?: boolean | undefined
        /** Participants join muted. */
        mute_upon_entry?: boolean | undefined
        /** Participants wait until the host lets them in. */
        waiting_room?: boolean | undefined
        /** Marks shared screens. */
        watermark?: boolean | undefined
        /** The host means to meet at the personal number. */
        use_pmi?: boolean | undefined
        /** Registration: 0 is approved at once, 1 by hand, 2 is none. */
        approval_type?: 0 | 1 | 2 | undefined
        /** How participants may be heard. */
        audio?: 'both' | 'telephony' | 'voip' | 'thirdParty' | undefined
        /** Where the meeting is recorded without being asked to. */
        auto_recording?: 'local' | 'cloud' | 'none' | undefined
        /** Emails of those who may start the meeting too, with commas between. At most 2,000 characters. */
        alternative_hosts?: string | undefined
      }
    | undefined
}

/**
 * When a meeting recurs. Without `weekly_days`, `monthly_day` and `monthly_week` the day of
 * `start_time` counts; without `end_times` and `end_date_time` there is one occurrence.
 */
export interface NewRecurrence {
  /** 1 is every so many days, 2 weeks, 3 months. */
  type: 1 | 2 | 3
  /** Every how many of them, 1 when absent or 0: at most 90 days, 12 weeks, 3 months. */
  repeat_interval?: number | undefined
  /** Days of the week with commas between: 1 is Sunday, 7 is Saturday. For example `2,4`. */
  weekly_days?: string | undefined
  /** Day of the month. Months that do not have it are left out (RFC 5545 §3.3.10). 1 to 31. */
  monthly_day?: number | undefined
  /** With `monthly_week_day`: which of these days in the month; -1 is the last. */
  monthly_week?: -1 | 1 | 2 | 3 | 4 | undefined
  /** With `monthly_week`: day of the week, 1 is Sunday. 1 to 7. */
  monthly_week_day?: number | undefined
  /** How many occurrences there are; as absent when 0. 1 to 60. */
  end_times?: number | undefined
  /**
   * The last moment at which an occurrence may start, UTC. Where `end_times` is given too, that
   * counts. For example `2026-12-31T23:59:00Z`.
   */
  end_date_time?: string | undefined
}

/** A meeting with all that its host may know. */
export interface Meeting {
  /**
   * Tells it from all that had or will have its number. For example
   * `4f1c9a52-7c1e-4b0a-9f6a-8a1c2d3e4f50`.
   */
  uuid: string
  /** Its number: 11 digits, of a personal meeting 10. */
  id: number
  /** Its host. For example `de300000-0000-4000-8000-000000000011`. */
  host_id: string
  /** What it is about. For example `Planning`. */
  topic: string
  /** 1 is instant, 2 scheduled, 3 recurring without fixed times, 4 personal, 8 recurring. */
  type: 1 | 2 | 3 | 4 | 8
  /** Minutes. */
  duration: number
  /** Whose clocks count. For example `Europe/Berlin`. */
  timezone: string
  /** What will be done. For example `Goals`. */
  agenda: string
  /** ISO 8601, UTC. */
  created_at: string
  /**
   * Where participants join. For example
   * `https://auth.example.com/meetings/12345678901?pwd=a1B2c3`.
   */
  join_url: string
  /** The host's email. For example `owner@acme.test`. */
  host_email: string
  /** `started` while it goes on. */
  status: 'waiting' | 'started'
  /** ISO 8601, UTC; of type 8 the first occurrence. Absent for types 1, 3 and 4. */
  start_time?: string | undefined
  /**
   * Starts it as its host, for two hours; to be kept from participants. To a token that could not
   * start meetings, by `meeting:write:meeting` or `user:read:token`, it is a link for the host,
   * who signs in.
   */
  start_url: string
  /** To join with. For example `a1B2c3`. */
  password: string
  /** How a meeting is held. */
  settings: MeetingSettings
  /** When a meeting recurs. */
  recurrence?: Recurrence | undefined
  /** The times of a meeting of type 8, in order. */
  occurrences?: Occurrence[] | undefined
}

/** How a meeting is held. */
export interface MeetingSettings {
  /** Starts with the host's video. */
  host_video: boolean
  /** Starts with the participants' video. */
  participant_video: boolean
  /** Participants may join before the host. */
  join_before_host: boolean
  /** Participants join muted. */
  mute_upon_entry: boolean
  /** Participants wait until the host lets them in. */
  waiting_room: boolean
  /** Marks shared screens. */
  watermark: boolean
  /** The host means to meet at the personal number. */
  use_pmi: boolean
  /** Registration: 0 is approved at once, 1 by hand, 2 is none. */
  approval_type: 0 | 1 | 2
  /** How participants may be heard. */
  audio: 'both' | 'telephony' | 'voip' | 'thirdParty'
  /** Where the meeting is recorded without being asked to. */
  auto_recording: 'local' | 'cloud' | 'none'
  /** Emails of those who may start the meeting too, with commas between. At most 2,000 characters. */
  alternative_hosts: string
}

/** When a meeting recurs. */
export interface Recurrence {
  /** 1 is every so many days, 2 weeks, 3 months. */
  type: 1 | 2 | 3
  /** Every how many of them: at most 90 days, 12 weeks, 3 months. */
  repeat_interval: number
  /** Days of the week with commas between: 1 is Sunday, 7 is Saturday. For example `2,4`. */
  weekly_days?: string | undefined
  /** Day of the month. Months that do not have it are left out (RFC 5545 §3.3.10). 1 to 31. */
  monthly_day?: number | undefined
  /** With `monthly_week_day`: which of these days in the month; -1 is the last. */
  monthly_week?: -1 | 1 | 2 | 3 | 4 | undefined
  /** With `monthly_week`: day of the week, 1 is Sunday. 1 to 7. */
  monthly_week_day?: number | undefined
  /** How many occurrences there are. 1 to 60. */
  end_times?: number | undefined
  /** The last moment at which an occurrence may start. For example `2026-12-31T23:59:00Z`. */
  end_date_time?: string | undefined
}

/** One of the times of a recurring meeting. */
export interface Occurrence {
  /** Its start, ms since 1970. For example `1795255200000`. */
  occurrence_id: string
  /** ISO 8601, UTC. */
  start_time: string
  /** Minutes. */
  duration: number
  /** Removed ones are not listed. */
  status: 'available'
}

/** A page of meetings. */
export interface MeetingPage {
  /** As asked for. */
  page_size: number
  /** Asks for the next page; empty on the last. */
  next_page_token: string
  /** On all pages together. */
  total_records: number
  /** Those created last come first. */
  meetings: ListedMeeting[]
}

/** A meeting in a list. */
export interface ListedMeeting {
  /**
   * Tells it from all that had or will have its number. For example
   * `4f1c9a52-7c1e-4b0a-9f6a-8a1c2d3e4f50`.
   */
  uuid: string
  /** Its number: 11 digits, of a personal meeting 10. */
  id: number
  /** Its host. For example `de300000-0000-4000-8000-000000000011`. */
  host_id: string
  /** What it is about. For example `Planning`. */
  topic: string
  /** 1 is instant, 2 scheduled, 3 recurring without fixed times, 4 personal, 8 recurring. */
  type: 1 | 2 | 3 | 4 | 8
  /** Minutes. */
  duration: number
  /** Whose clocks count. For example `Europe/Berlin`. */
  timezone: string
  /** What will be done. For example `Goals`. */
  agenda: string
  /** ISO 8601, UTC. */
  created_at: string
  /**
   * Where participants join. For example
   * `https://auth.example.com/meetings/12345678901?pwd=a1B2c3`.
   */
  join_url: string
  /**
   * ISO 8601, UTC; of type 8 the first occurrence, in `upcoming` the next. Absent for types 1, 3
   * and 4.
   */
  start_time?: string | undefined
}

/**
 * What is to be another about a meeting. What is null or empty counts as absent, and what is
 * absent stays. An empty `agenda`, and an empty `alternative_hosts` of `settings`, clears it.
 */
export interface MeetingChanges {
  /**
   * What it is about; of a new one "My Meeting" when absent. At most 200 characters. For example
   * `Planning`.
   */
  topic?: string | undefined
  /** 2, 3 and 8 may become one another. Not of a personal meeting. */
  type?: 1 | 2 | 3 | 8 | undefined
  /**
   * In UTC (`2026-11-21T10:00:00Z`), with an offset, or without either as the clocks of `timezone`
   * show it. New ones of types 2 and 8 start now when it is absent; for types 1 and 3 it is left
   * aside. For example `2026-11-21T10:00:00Z`.
   */
  start_time?: string | undefined
  /** Minutes. 1 to 1,440. */
  duration?: number | undefined
  /**
   * Name of the IANA time zone database; of a new one the host's when absent. Occurrences keep
   * their time on its clocks. For example `Europe/Berlin`.
   */
  timezone?: string | undefined
  /** What will be done. At most 2,000 characters. For example `Goals of the next quarter`. */
  agenda?: string | undefined
  /**
   * The passcode to join with, 6 to 10 characters; one is made for a new meeting when it is
   * absent. A shorter one of before goes on working. For example `a1B2c3`.
   */
  password?: string | undefined
  /**
   * Id or email of the user who is to be its host, in place of the one of the path: another than
   * the own needs admin scopes. At most 320 characters. For example `user@acme.test`.
   */
  schedule_for?: string | undefined
  /** Type 8 needs it. For type 3 it is a note; for types 1 and 2 it is left aside. */
  recurrence?: NewRecurrence | undefined
  /** How it is held; what is absent is as usual, or as it was. */
  settings?:
    | {
        /** Starts with the host's video. */
        host_video?: boolean | undefined
        /** Starts with the participants' video. */
        participant_video?: boolean | undefined
        /** Participants may join before the host. */
        join_before_host?: boolean | undefined
        /** Participants join muted. */
        mute_upon_entry?: boolean | undefined
        /** Participants wait until the host lets them in. */
        waiting_room?: boolean | undefined
        /** Marks shared screens. */
        watermark?: boolean | undefined
        /** The host means to meet at the personal number. */
        use_pmi?: boolean | undefined
        /** Registration: 0 is approved at once, 1 by hand, 2 is none. */
        approval_type?: 0 | 1 | 2 | undefined
        /** How participants may be heard. */
        audio?: 'both' | 'telephony' | 'voip' | 'thirdParty' | undefined
        /** Where the meeting is recorded without being asked to. */
        auto_recording?: 'local' | 'cloud' | 'none' | undefined
        /** Emails of those who may start the meeting too, with commas between. At most 2,000 characters. */
        alternative_hosts?: string | undefined
      }
    | undefined
}
