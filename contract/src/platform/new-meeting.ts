import { z } from 'zod'
import { SentDateTime } from '../date-time.ts'
import { demo } from '../demo.ts'
import { doc, named } from '../schemas.ts'
import { singleLine, text } from '../text.ts'
import { TimeZone } from '../time-zone.ts'
import { emptyMembersAsAbsent, flag, numberAsText, oneOfNumbers, wholeNumber } from './lenient.ts'
import { NewRecurrence, RecurrenceChanges } from './recurrence.ts'

export const MeetingSettings = z
  .object({
    host_video: flag("Whether the meeting starts with the host's video.", false),
    participant_video: flag("Whether the meeting starts with the participants' video.", false),
    join_before_host: flag('Whether participants can join before the host.', false),
    mute_upon_entry: flag('Whether participants join muted.', false),
    waiting_room: flag('Whether participants wait until the host admits them.', true),
    watermark: flag('Whether shared screens have a watermark.', false),
    use_pmi: flag('Whether the host prefers the number of the personal meeting.', false),
    approval_type: oneOfNumbers([0, 1, 2]).meta(
      doc('Registration: 0 is automatic approval, 1 manual approval, 2 no registration.', 2),
    ),
    audio: z
      .enum(['both', 'telephony', 'voip', 'thirdParty'])
      .meta(doc('Audio options of participants.', 'both')),
    auto_recording: z
      .enum(['local', 'cloud', 'none'])
      .meta(doc('Where the meeting is recorded automatically.', 'none')),
    alternative_hosts: text(2000).meta(
      doc('Emails of users who can also start the meeting, separated by commas.', ''),
    ),
  })
  .meta({ id: 'MeetingSettings', description: 'Settings of a meeting.' })

/** Settings of a meeting whose host has not changed them. */
export const defaultSettings = {
  host_video: false,
  participant_video: false,
  join_before_host: false,
  mute_upon_entry: false,
  waiting_room: false,
  watermark: false,
  use_pmi: false,
  approval_type: 2,
  audio: 'both',
  auto_recording: 'none',
  alternative_hosts: '',
} as const satisfies z.output<typeof MeetingSettings>

const types = [1, 2, 3, 8] as const

/** Fields that creation and changes of a meeting share. */
const fields = {
  topic: singleLine(text(200))
    .optional()
    .meta(doc('Topic. A new meeting without it is named "My Meeting".', 'Planning')),
  type: oneOfNumbers(types).optional().meta({
    description:
      'Types 2, 3 and 8 can be changed into each other. A personal meeting keeps its type.',
    example: 2,
  }),
  start_time: SentDateTime.optional().meta({
    description:
      'Start in UTC (`2026-11-21T10:00:00Z`), with an offset, or without both as local time in `timezone`. Without it, a new meeting of type 2 or 8 starts now. Ignored for types 1 and 3.',
    example: '2026-11-21T10:00:00Z',
  }),
  duration: wholeNumber(1, 1440)
    .optional()
    .meta({ description: 'Duration in minutes.', example: 45 }),
  timezone: TimeZone.optional().meta({
    description:
      "IANA time zone. A new meeting without it uses the host's. Occurrences keep their local time in it.",
    example: 'Europe/Berlin',
  }),
  agenda: text(2000).optional().meta(doc('Agenda.', 'Goals of the next quarter')),
  password: numberAsText(
    z.string().regex(/^([A-Za-z0-9@_*-]{6,10})?$/, 'must be 6 to 10 letters, digits and @ _ - *'),
  )
    .optional()
    .meta({
      description:
        'Passcode, 6 to 10 characters. Without it, the service generates one for a new meeting. Existing shorter passcodes keep working.',
      example: 'a1B2c3',
    }),
  schedule_for: text(320).optional().meta({
    description:
      'Id or email of the host, instead of the user in the path. Requires admin scopes if it is another user.',
    example: demo.users.member.email,
  }),
  recurrence: NewRecurrence.optional().describe(
    'Required for type 8. For type 3 it creates no occurrences, but a later change to type 8 uses it. Ignored for types 1 and 2.',
  ),
  settings: emptyMembersAsAbsent(MeetingSettings.partial(), 'alternative_hosts')
    .optional()
    .meta({
      description: 'Settings. An absent setting has its default or keeps its value.',
      example: { join_before_host: true, mute_upon_entry: true },
    }),
}

/** A meeting to create. */
export const NewMeeting = withoutUnusedRecurrence(
  (type) => ![3, 8].includes(Number(type)),
  z
    .object({
      ...fields,
      type: oneOfNumbers(types).default(2).meta({
        description:
          '1 is instant, 2 scheduled (default), 3 recurring without fixed times, 8 recurring at fixed times.',
        example: 2,
      }),
      duration: wholeNumber(1, 1440).default(60).meta(doc('Duration in minutes; default 60.', 45)),
      agenda: text(2000).default('').meta(doc('Agenda.', 'Goals of the next quarter')),
    })
    .refine(({ type, recurrence }) => type !== 8 || recurrence !== undefined, {
      path: ['recurrence'],
      message: 'is required for a meeting of type 8',
    }),
).meta(named('NewMeeting', 'A meeting to create. Fields that are null or empty count as absent.'))

export const MeetingChanges = withoutUnusedRecurrence(
  (type) => [1, 2].includes(Number(type)),
  z.object({
    ...fields,
    recurrence: RecurrenceChanges.optional().describe(
      'The part of the recurrence to change. Ignored for types 1 and 2.',
    ),
  }),
).meta({
  id: 'MeetingChanges',
  description:
    'Changes to a meeting. Absent fields keep their values; null and empty count as absent. An empty `agenda` and an empty `settings.alternative_hosts` clear the field.',
})

/** Drops members that count as absent, and the recurrence of types that do not recur. */
function withoutUnusedRecurrence<S extends z.ZodType>(
  isUnused: (type: unknown) => boolean,
  schema: S,
) {
  const dropRecurrence = (sent: unknown): unknown =>
    typeof sent === 'object' && sent !== null && 'recurrence' in sent
      ? { ...sent, recurrence: isUnused('type' in sent && sent.type) ? null : sent.recurrence }
      : sent
  const sentFields = emptyMembersAsAbsent(schema, 'agenda')
  return z.preprocess((sent: z.input<S>) => dropRecurrence(sent), sentFields)
}
