import { stateOf } from '../../platform/meeting-state.ts'
import type { HostedMeeting } from '../../platform/meetings.ts'
import { counted, Minute, Time } from '../ui/format.tsx'

/** The number of a meeting as people read it out: 857 4606 5432. */
export const meetingNumber = (id: number): string =>
  String(id).replace(/^(\d{3})(\d{3,4})(\d{4})$/, '$1 $2 $3')

const words = { waiting: 'Not started', started: 'In progress', ended: 'Ended' }

/** How things stand with a meeting. */
export function MeetingStatus({ meeting }: Pick<HostedMeeting, 'meeting'>) {
  const state = stateOf(meeting)
  return <span class={state === 'started' ? 'badge live' : 'badge'}>{words[state]}</span>
}

interface MeetingFactsProps extends HostedMeeting {
  /** When a recurring meeting is held next, ms since 1970. */
  nextTime: number | undefined
  /** For the host, who passes it on. */
  passcode: string | undefined
}

/** When a meeting is, whose, and by which number. */
export function MeetingFacts({ meeting, host, nextTime, passcode }: MeetingFactsProps) {
  return (
    <dl class="facts">
      <dt>{nextTime === undefined ? 'When' : 'Next time'}</dt>
      <dd>
        <When meeting={meeting} at={nextTime ?? meeting.startTime} />
      </dd>
      {meeting.type === 8 && meeting.endTime !== null && (
        <>
          <dt>Repeats until</dt>
          <dd>
            <Time at={meeting.endTime} />
          </dd>
        </>
      )}
      <dt>Host</dt>
      <dd dir="auto">{nameOf(host)}</dd>
      <dt>Meeting number</dt>
      <dd>{meetingNumber(meeting.id)}</dd>
      {passcode !== undefined && (
        <>
          <dt>Passcode</dt>
          <dd class="passcode">{passcode}</dd>
        </>
      )}
    </dl>
  )
}

function When({ meeting, at }: Pick<HostedMeeting, 'meeting'> & { at: number | null }) {
  if (at === null) return <>No fixed time</>
  const { timezone, duration } = meeting
  const iso = new Date(at).toISOString()
  const local = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: timezone,
  })
  return (
    <>
      <time datetime={iso}>{local.format(at)}</time> ({timezone}), {counted(duration, 'minute')}
      <br />
      <span class="muted">
        <Minute at={iso} />
      </span>
    </>
  )
}

const nameOf = ({ displayName, firstName, lastName }: MeetingFactsProps['host']) =>
  displayName || [firstName, lastName].filter((name) => name !== '').join(' ') || 'The host'
