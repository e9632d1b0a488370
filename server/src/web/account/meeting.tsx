import { bounds } from '@skillpass/contract'
import { type ActiveAccess, type Participant, stateOf } from '../../meetings/meeting-state.ts'
import type { HostedMeeting } from '../../meetings/meetings.ts'
import { contentNames } from '../../meetings/serialize.ts'
import { meetingPath } from '../../people/meeting-access.ts'
import { markHidden } from '../readme/hidden-text.ts'
import { AccountPage, Action } from '../ui/account.tsx'
import { copyScript, indicatorPaths } from '../ui/assets.ts'
import { PostForm, TextField } from '../ui/fields.tsx'
import { counted, Facts, Section, Time } from '../ui/parts.tsx'

/** Formats a meeting number in groups: 857 4606 5432. */
export const meetingNumber = (id: number): string =>
  String(id).replace(/^(\d{3})(\d{3,4})(\d{4})$/, '$1 $2 $3')

interface MeetingPageData extends HostedMeeting {
  /** Next occurrence of a recurring meeting, ms since 1970. */
  nextTime: number | undefined
  accesses: readonly ActiveAccess[]
  present: readonly Participant[]
  /** Set for visitors who may join. */
  entrance?: Entrance | undefined
  /** Set for the host. The zak is empty if a session identifies the host. */
  controls?: { zak: string; passcode: string; invitation: string } | undefined
}

/** What the forms to join and to leave need. */
export interface Entrance {
  /** Fields that admit the visitor to the page. */
  keys: Readonly<Record<string, string>>
  isVisitor: (one: Participant) => boolean | undefined
  name: string
}

const states = { waiting: 'Not started', started: 'In progress', ended: 'Ended' }

/** A meeting's details, its state and the apps with access (spec/oauth.md#in-meeting-indicator). */
export function meetingPage(data: MeetingPageData) {
  const { meeting, accesses, controls } = data
  const state = stateOf(meeting)
  const [act, button] =
    state === 'started' ? (['end', 'End'] as const) : (['start', 'Start'] as const)
  return (
    <AccountPage title={meeting.topic} class="sheet meeting" scripts={[copyScript.url]}>
      <header>
        <div class="state-line">
          <span class={state === 'started' ? 'badge live' : 'badge'}>{states[state]}</span>
          {accesses.length > 0 && <Indicator accesses={accesses} />}
        </div>
        <h1 dir="auto">{meeting.topic}</h1>
      </header>
      <MeetingFacts {...data} />
      {meeting.agenda !== '' && (
        <p class="agenda" dir="auto">
          {markHidden(meeting.agenda)}
        </p>
      )}
      {controls && (
        <Action
          action={`${meetingPath(meeting.id)}/${act}`}
          values={controls.zak === '' ? {} : { zak: controls.zak }}
          look={act === 'end' ? 'plain' : undefined}
        >
          {button} meeting
        </Action>
      )}
      {state === 'started' && <Participants {...data} />}
      <Section id="apps" title="Apps with access to this meeting" class="accesses">
        {accesses.length === 0 ? (
          <p class="muted">No app has access to this meeting right now.</p>
        ) : (
          <ul>
            {accesses.map((access) => (
              <li>{sentence(access)}</li>
            ))}
          </ul>
        )}
      </Section>
    </AccountPage>
  )
}

function Participants({ meeting, present, entrance }: MeetingPageData) {
  const path = meetingPath(meeting.id)
  const own = entrance && present.find(entrance.isVisitor)
  return (
    <Section id="participants" title="Participants" class="accesses">
      {present.length === 0 && <p class="muted">Nobody is in this meeting right now.</p>}
      <ul>
        {present.map((one) => (
          <li>
            <bdi>{one.name}</bdi>
            {one === own && ' (you)'}
          </li>
        ))}
      </ul>
      {own && (
        <Action
          action={`${path}/leave`}
          values={{ ...entrance.keys, participant: own.id }}
          look="plain"
        >
          Leave meeting
        </Action>
      )}
      {entrance && !own && (
        <PostForm
          action={`${path}/join`}
          values={entrance.keys}
          class="entry"
          submit="Join meeting"
        >
          <TextField {...nameField} value={entrance.name} />
        </PostForm>
      )}
    </Section>
  )
}

const nameField = {
  ...{ name: 'name', label: 'Your name', issue: undefined, autocomplete: 'name' },
  ...{ maxLength: bounds.profile.displayName, required: true },
}

function MeetingFacts({ meeting, host, nextTime, controls }: MeetingPageData) {
  const { type, endTime, startTime, id } = meeting
  const name = host.displayName || `${host.firstName} ${host.lastName}`.trim() || 'The host'
  const when = <When meeting={meeting} at={nextTime ?? startTime} />
  return (
    <Facts
      facts={[
        [nextTime === undefined ? 'When' : 'Next time', when],
        ['Repeats until', type === 8 && endTime !== null && <Time at={endTime} />],
        ['Host', name],
        ['Meeting number', <Copied text={meetingNumber(id)} name="meeting number" />],
        ['Passcode', controls && <Copied text={controls.passcode} name="passcode" />],
        ['Invitation', controls && <Copied text={controls.invitation} name="invitation" />],
      ]}
    />
  )
}

/** A text to copy. `assets/copy.js` adds a button. */
const Copied = ({ text, name }: { text: string; name: string }) => (
  <span class="command inline" data-name={name}>
    <code>{text}</code>
  </span>
)

/** The time in the zone of the meeting. `assets/copy.js` shows it in that of the reader. */
function When({ meeting, at }: Pick<HostedMeeting, 'meeting'> & { at: number | null }) {
  if (at === null) return 'No fixed time'
  const { timezone, duration } = meeting
  const style = { dateStyle: 'full', timeStyle: 'short', timeZone: timezone } as const
  return (
    <>
      <time datetime={new Date(at).toISOString()} class="zoned">
        {new Date(at).toLocaleString('en-GB', style)} ({timezone})
      </time>
      , {counted(duration, 'minute')}
    </>
  )
}

/**
 * The icon that is shown while apps have access to a meeting (spec/oauth.md#in-meeting-indicator).
 * Its tooltip names the content type and the approver. It is a link, so keyboard and touch can open
 * it.
 */
const Indicator = ({ accesses }: Pick<MeetingPageData, 'accesses'>) => (
  <span class="indicator">
    <a href="#apps" aria-describedby="indicator-tip">
      <svg viewBox="3 3 14 14" width="26" height="26" aria-hidden="true">
        <path d={indicatorPaths.tile} />
        <path class="waves" d={indicatorPaths.waves} />
      </svg>
      <span class="hidden">Apps have access to this meeting</span>
    </a>
    <span class="tip" role="tooltip" id="indicator-tip">
      {accesses.map(sentence)}
    </span>
  </span>
)

const sentence = ({ appName, contentType, approvedBy }: ActiveAccess) => (
  <span class="access">
    <strong>
      <bdi>{appName}</bdi>
    </strong>{' '}
    has access to {contentNames[contentType]}. Approved by <bdi>{approvedBy}</bdi>.
  </span>
)
