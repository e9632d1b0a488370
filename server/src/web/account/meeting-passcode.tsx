import { meetingPath } from '../../platform/meeting-links.ts'
import { PostForm, type Viewer } from '../ui/account.tsx'
import { Refusal, Submit } from '../ui/fields.tsx'
import { AccountPage, renderPage } from '../ui/layout.tsx'
import { meetingNumber } from './meeting-facts.tsx'

export interface MeetingPasscodePageData {
  /** Number of the meeting, if it is one. */
  id: number
  token: string
  /** Where the host goes instead. */
  signInPath: string
  viewer: Viewer | undefined
  refusal?: string | undefined
}

/** Asks for the passcode of a meeting; the same page stands at numbers that are no meeting's. */
export function renderMeetingPasscodePage(data: MeetingPasscodePageData): string {
  const { id, refusal, token, viewer } = data
  const described = refusal === undefined ? undefined : 'refusal'
  return renderPage(
    <AccountPage title="Meeting" description="Join a meeting." class="sheet narrow" viewer={viewer}>
      <header>
        <h1>Enter the passcode</h1>
        <p class="muted">
          of meeting <span class="mono">{meetingNumber(id)}</span>. It stands in the invitation.
        </p>
      </header>
      {refusal !== undefined && <Refusal id="refusal">{refusal}</Refusal>}
      <PostForm action={meetingPath(id)} token={token} class="fields">
        <label for="passcode">Passcode</label>
        <input
          id="passcode"
          name="passcode"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
          autofocus
          aria-describedby={described}
        />
        <Submit>Continue</Submit>
      </PostForm>
      {!viewer && (
        <p class="after">
          Is it your meeting? <a href={data.signInPath}>Sign in</a>
        </p>
      )}
    </AccountPage>,
  )
}
