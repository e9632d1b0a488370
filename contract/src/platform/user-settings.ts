import { z } from 'zod'
import { boolean, int } from '../schemas.ts'
import { defaultSettings, MeetingSettings } from './new-meeting.ts'

const { audio, auto_recording, waiting_room, ...flags } = MeetingSettings.shape

const embedded = boolean('Whether the link to join contains the passcode.', true)

const passcode = z
  .object({
    length: int('Minimum length.', 6),
    consecutive_characters_length: int('Longest allowed run such as abcd; 0 is no limit.', 0),
    have_letter: boolean('Whether a letter is required.', false),
    have_number: boolean('Whether a digit is required.', false),
    have_upper_and_lower_characters: boolean('Whether both cases are required.', false),
    have_special_character: boolean('Whether a special character is required.', false),
    only_allow_numeric: boolean('Whether only digits are allowed.', false),
    weak_enhance_detection: boolean('Whether weak passcodes are refused.', false),
  })
  .describe('Requirements for a passcode that a client sets.')

/** Settings of a user, in the sections of the vendor. Only settings that apply to meetings. */
export const UserSettings = z
  .object({
    schedule_meeting: z
      .object({
        host_video: flags.host_video,
        participants_video: flags.participant_video,
        join_before_host: flags.join_before_host,
        mute_upon_entry: flags.mute_upon_entry,
        audio_type: audio,
        use_pmi_for_scheduled_meetings: flags.use_pmi,
        use_pmi_for_instant_meetings: flags.use_pmi,
        require_password_for_scheduling_new_meetings: boolean(
          'Whether a new meeting has a passcode, which the service generates if none is sent.',
          true,
        ),
        require_password_for_instant_meetings: boolean('The same for instant meetings.', true),
        embed_password_in_join_link: embedded,
        meeting_password_requirement: passcode,
      })
      .partial()
      .describe('Settings of new meetings.'),
    in_meeting: z.object({ waiting_room }).describe('Settings that apply during a meeting.'),
    recording: z.object({ auto_recording }).describe('Settings of recordings.'),
    meeting_security: z
      .object({
        waiting_room,
        meeting_password: boolean('Whether meetings have a passcode.', true),
        embed_password_in_join_link: embedded,
        meeting_password_requirement: passcode,
      })
      .partial()
      .describe('Settings that protect meetings.'),
  })
  .partial()
  .meta({
    id: 'UserSettings',
    description: 'Settings that new meetings of a user have unless the request sets others.',
  })

const passcodes = {
  embed_password_in_join_link: true,
  meeting_password_requirement: {
    length: 6,
    consecutive_characters_length: 0,
    have_letter: false,
    have_number: false,
    have_upper_and_lower_characters: false,
    have_special_character: false,
    only_allow_numeric: false,
    weak_enhance_detection: false,
  },
}

/** The settings of every user. */
export const userSettings = {
  schedule_meeting: {
    host_video: defaultSettings.host_video,
    participants_video: defaultSettings.participant_video,
    join_before_host: defaultSettings.join_before_host,
    mute_upon_entry: defaultSettings.mute_upon_entry,
    audio_type: defaultSettings.audio,
    use_pmi_for_scheduled_meetings: defaultSettings.use_pmi,
    use_pmi_for_instant_meetings: defaultSettings.use_pmi,
    require_password_for_scheduling_new_meetings: true,
    require_password_for_instant_meetings: true,
    ...passcodes,
  },
  in_meeting: { waiting_room: defaultSettings.waiting_room },
  recording: { auto_recording: defaultSettings.auto_recording },
  meeting_security: {
    waiting_room: defaultSettings.waiting_room,
    meeting_password: true,
    ...passcodes,
  },
} as const satisfies z.output<typeof UserSettings>
