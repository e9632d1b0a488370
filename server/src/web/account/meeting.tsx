import { meetingPath } from '../../platform/meeting-links.ts'
import { type ActiveAccess, stateOf } from '../../platform/meeting-state.ts'
import type { HostedMeeting } from '../../platform/meetings.ts'
import { markHidden } from '../readme/hidden.ts'
import { PostForm } from '../ui/account.tsx'
import { Submit } from '../ui/fields.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { AccessList, Indicator } from './indicator.tsx'
import { MeetingFacts, MeetingStatus } from './meeting-facts.tsx'

interface MeetingPageData extends HostedMeeting {
  /** When a recurring meeting is held next, ms since 1970. */
  nextTime: number | undefined
  /** The apps with access right now. */
  accesses: readonly ActiveAccess[]
  /** What the host sees and the buttons carry; the zak is empty where a session stands for it. */
  controls?: { zak: string; passcode: string; tokens: { start: string; end: string } } | undefined
}

/** A meeting: what it is, how it stands, and which apps read or hear it (OAuth spec §6). */
export function meetingPage(data: MeetingPageData) {
  const { meeting, host, nextTime, accesses, controls } = data
  return (
    <AccountPage title={meeting.topic} class="sheet meeting">
      <header>
        <div class="state-line">
          <MeetingStatus meeting={meeting} />
          <Indicator accesses={accesses} />
        </div>
        <h1 dir="auto">{meeting.topic}</h1>
      </header>
      <MeetingFacts {...{ meeting, host, nextTime }} passcode={controls?.passcode} />
      {meeting.agenda !== '' && (
        <p class="agenda" dir="auto">
          {markHidden(meeting.agenda)}
        </p>
      )}
      {controls && <Controls meeting={meeting} zak={controls.zak} tokens={controls.tokens} />}
      <AccessList accesses={accesses} />
    </AccountPage>
  )
}

type ControlsProps = Pick<HostedMeeting, 'meeting'> &
  Omit<NonNullable<MeetingPageData['controls']>, 'passcode'>

function Controls({ meeting, zak, tokens }: ControlsProps) {
  const path = meetingPath(meeting.id)
  const values = zak === '' ? {} : { zak }
  if (stateOf(meeting) === 'started') {
    return (
      <PostForm action={`${path}/end`} token={tokens.end} values={values}>
        <Submit look="plain">End meeting</Submit>
      </PostForm>
    )
  }
  return (
    <PostForm action={`${path}/start`} token={tokens.start} values={values}>
      <Submit>Start meeting</Submit>
    </PostForm>
  )
}
