import { z } from 'zod'
import { SentDateTime } from '../date-time.ts'
import { demo } from '../demo.ts'
import { folded, text } from '../text.ts'
import { TimeZone } from '../time-zone.ts'
import { emptyMembersAsAbsent, flag, numberAsText, oneOfNumbers, wholeNumber } from './lenient.ts'
import { NewRecurrence } from './recurrence.ts'

export const MeetingSettings = z
  .object({
    host_video: flag("Starts with the host's video.", false),
    participant_video: flag("Starts with the participants' video.", false),
    join_before_host: flag('Participants may join before the host.', false),
    mute_upon_entry: flag('Participants join muted.', false),
    waiting_room: flag('Participants wait until the host lets them in.', true),
    watermark: flag('Marks shared screens.', false),
    use_pmi: flag('The host means to meet at the personal number.', false),
    approval_type: oneOfNumbers([0, 1, 2]).meta({
      description: 'Registration: 0 is approved at once, 1 by hand, 2 is none.',
      example: 2,
    }),
    audio: z.enum(['both', 'telephony', 'voip', 'thirdParty']).meta({
      description: 'How participants may be heard.',
      example: 'both',
    }),
    auto_recording: z.enum(['local', 'cloud', 'none']).meta({
      description: 'Where the meeting is recorded without being asked to.',
      example: 'none',
    }),
    alternative_hosts: text(2000).meta({
      description: 'Emails of those who may start the meeting too, with commas between.',
      example: '',
    }),
  })
  .meta({ id: 'MeetingSettings', description: 'How a meeting is held.' })

const types = [1, 2, 3, 8] as const

/** What is said of a meeting, when it is made and when it is changed. */
const fields = {
  topic: folded(text(200)).optional().meta({
    description: 'What it is about; of a new one "My Meeting" when absent.',
    example: 'Planning',
  }),
  type: oneOfNumbers(types).optional().meta({
    description: '2, 3 and 8 may become one another. Not of a personal meeting.',
    example: 2,
  }),
  start_time: SentDateTime.optional().meta({
    description:
      'In UTC (`2026-11-21T10:00:00Z`), with an offset, or without either as the clocks of `timezone` show it. New ones of types 2 and 8 start now when it is absent; for types 1 and 3 it is left aside.',
    example: '2026-11-21T10:00:00Z',
  }),
  duration: wholeNumber(1, 1440).optional().meta({ description: 'Minutes.', example: 45 }),
  timezone: TimeZone.optional().meta({
    description:
      "Name of the IANA time zone database; of a new one the host's when absent. Occurrences keep their time on its clocks.",
    example: 'Europe/Berlin',
  }),
  agenda: text(2000).optional().meta({
    description: 'What will be done.',
    example: 'Goals of the next quarter',
  }),
  password: numberAsText(
    z.string().regex(/^([A-Za-z0-9@_*-]{6,10})?$/, 'must be 6 to 10 letters, digits and @ _ - *'),
  )
    .optional()
    .meta({
      description:
        'The passcode to join with, 6 to 10 characters; one is made for a new meeting when it is absent. A shorter one of before goes on working.',
      example: 'a1B2c3',
    }),
  schedule_for: text(320).optional().meta({
    description:
      'Id or email of the user who is to be its host, in place of the one of the path: another than the own needs admin scopes.',
    example: demo.users.member.email,
  }),
  recurrence: NewRecurrence.optional().meta({
    description: 'Type 8 needs it. For type 3 it is a note; for types 1 and 2 it is left aside.',
  }),
  settings: emptyMembersAsAbsent(MeetingSettings.partial(), 'alternative_hosts')
    .optional()
    .meta({
      description: 'How it is held; what is absent is as usual, or as it was.',
      example: { join_before_host: true, mute_upon_entry: true },
    }),
}

/** A meeting as it is asked for. What it does not know, of `settings` too, is left aside. */
export const NewMeeting = withoutIdleRule(
  (type) => ![3, 8].includes(Number(type)),
  z
    .object({
      ...fields,
      type: oneOfNumbers(types).default(2).meta({
        description:
          '1 is instant, 2 scheduled (when absent), 3 recurring without fixed times, 8 recurring at fixed times.',
        example: 2,
      }),
      duration: wholeNumber(1, 1440).default(60).meta({
        description: 'Minutes, 60 when absent.',
        example: 45,
      }),
      agenda: text(2000).default('').meta({
        description: 'What will be done.',
        example: 'Goals of the next quarter',
      }),
    })
    .refine(({ type, recurrence }) => type !== 8 || recurrence !== undefined, {
      path: ['recurrence'],
      message: 'is required for a meeting of type 8',
    }),
).meta({
  id: 'NewMeeting',
  description: 'A meeting as it is asked for. What is null or empty counts as absent.',
})

export const MeetingChanges = withoutIdleRule(
  (type) => [1, 2].includes(Number(type)),
  z.object(fields),
).meta({
  id: 'MeetingChanges',
  description:
    'What is to be another about a meeting. What is null or empty counts as absent, and what is absent stays. An empty `agenda`, and an empty `alternative_hosts` of `settings`, clears it.',
})

/** What is sent of a meeting, without what counts as absent: the rule too, where its type has none. */
function withoutIdleRule<S extends z.ZodType>(isIdle: (type: unknown) => boolean, schema: S) {
  const leaveAside = (sent: unknown): unknown =>
    typeof sent === 'object' && sent !== null && 'recurrence' in sent
      ? { ...sent, recurrence: isIdle('type' in sent && sent.type) ? null : sent.recurrence }
      : sent
  const sentFields = emptyMembersAsAbsent(schema, 'agenda')
  return z.preprocess((sent: z.input<S>) => leaveAside(sent), sentFields)
}
