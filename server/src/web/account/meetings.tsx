import type { Request } from 'express'
import { fail } from '../../errors/failure.ts'
import { clientAddress } from '../../limits/client-address.ts'
import { type Entry, enterMeeting, findMeetingOfHost } from '../../platform/meeting-entry.ts'
import { meetingPath } from '../../platform/meeting-links.ts'
import { readMeetingNumber } from '../../platform/meeting-number.ts'
import { describeProgress, endMeeting, startMeeting } from '../../platform/meeting-state.ts'
import type { HostedMeeting } from '../../platform/meetings.ts'
import { passcodeOf } from '../../platform/passcodes.ts'
import { PostForm } from '../ui/account.tsx'
import { Refusal, Submit } from '../ui/fields.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { meetingNumber, meetingPage } from './meeting.tsx'
import { type Answer, type Exchange, goOn, type PageRoute, type Sent, show } from './page.ts'
import { signInPath } from './return-to.ts'

/** Longest passcode that is looked at; none is as long. */
const passcodeLength = 64

/** Handles a form of the host's page; a failure 403 for everybody else. */
const hostForm =
  (change: typeof startMeeting) =>
  async ({ ctx, req, visit, form }: Sent<Exchange>): Promise<Answer> => {
    const id = numberOf(req)
    const zak = form.one('zak')
    if (!(await findMeetingOfHost(ctx, id, { user: visit.session?.user, zak })))
      return refuseOthers()
    await change(ctx, id)
    return goOn(
      zak === '' ? meetingPath(id) : `${meetingPath(id)}/start?${new URLSearchParams({ zak })}`,
    )
  }

/** A meeting's page: what it is, which apps have access to it, and the host's buttons. */
export const meetingsPages: PageRoute[] = [
  {
    path: '/meetings/:id',
    async get(exchange) {
      const { ctx, req, visit } = exchange
      const id = numberOf(req)
      const user = visit.session?.user
      const entry = await enterMeeting(ctx, id, {
        user,
        passcode: isShown(req) ? inQuery(req, 'pwd').slice(0, passcodeLength) : '',
        token: inQuery(req, 'token'),
        address: clientAddress(req),
      })
      if (!('admitted' in entry)) return askForPasscode(exchange, id, entry)
      const isHost = user?.id === entry.admitted.host.id
      return showMeeting(exchange, entry.admitted, isHost ? '' : undefined)
    },
    // The passcode stands in the address afterwards, as it does in the link of an invitation.
    async post({ req, form }) {
      const passcode = form.one('passcode').trim().slice(0, passcodeLength)
      return goOn(`${meetingPath(numberOf(req))}?${new URLSearchParams({ pwd: passcode })}`)
    },
  },
  {
    path: '/meetings/:id/start',
    async get(exchange) {
      const { ctx, req, visit } = exchange
      const id = numberOf(req)
      const zak = inQuery(req, 'zak')
      const own = await findMeetingOfHost(ctx, id, { user: visit.session?.user, zak })
      if (own) return showMeeting(exchange, own, zak)
      if (!visit.session) return goOn(signInPath(`${meetingPath(id)}/start`))
      return refuseOthers()
    },
    post: hostForm(startMeeting),
  },
  { path: '/meetings/:id/end', post: hostForm(endMeeting) },
]

/** The number in the address; a failure 404 for what no meeting can have. */
function numberOf({ params }: Request): number {
  return (
    readMeetingNumber(String(params.id)) ?? fail(404, 'A meeting number has ten or eleven digits.')
  )
}

/** Pages of others can have an address loaded as an image, which must not count as a guess. */
const isShown = (req: Request) => (req.get('sec-fetch-dest') ?? 'document') === 'document'

/** A parameter of the query, empty where it is absent or stands there twice. */
function inQuery({ query }: Request, name: string): string {
  const value = query[name]
  return typeof value === 'string' ? value : ''
}

const refuseOthers = (): never =>
  fail(
    403,
    'Only the host can start or end this meeting. Sign in as the host, or use a new start link.',
  )

/** Shows a meeting, with the host's buttons where `zak` is given, if only an empty one. */
async function showMeeting(
  { ctx }: Exchange,
  { meeting, host }: HostedMeeting,
  zak: string | undefined,
): Promise<Answer> {
  const progress = await describeProgress(ctx, meeting)
  const controls = zak === undefined ? undefined : { zak, passcode: passcodeOf(ctx, meeting) }
  return show(meetingPage({ meeting, host, ...progress, controls }))
}

const refusals = {
  unknown: undefined,
  mismatch: 'This passcode does not match the meeting number.',
  tooMany: 'Too many wrong passcodes. Try again in a few minutes.',
}
const statuses = { unknown: 200, mismatch: 403, tooMany: 429 }

function askForPasscode(
  { res, visit }: Exchange,
  id: number,
  entry: Exclude<Entry, { admitted: unknown }>,
): Answer {
  if ('retryAfter' in entry) res.set('Retry-After', String(entry.retryAfter))
  return show(passcodePage(id, refusals[entry.refused], !visit.session), statuses[entry.refused])
}

/** Asks for the passcode of a meeting; the same page stands at numbers that are no meeting's. */
function passcodePage(id: number, refusal: string | undefined, isStranger: boolean) {
  return (
    <AccountPage title="Meeting" class="sheet narrow">
      <header>
        <h1>Enter the passcode</h1>
        <p class="muted">
          For meeting <span class="mono">{meetingNumber(id)}</span>. You'll find it in the
          invitation.
        </p>
      </header>
      {refusal !== undefined && <Refusal id="refusal">{refusal}</Refusal>}
      <PostForm action={meetingPath(id)} class="fields">
        <label for="passcode">Passcode</label>
        <input
          id="passcode"
          name="passcode"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
          autofocus
          aria-describedby={refusal === undefined ? undefined : 'refusal'}
        />
        <Submit>Continue</Submit>
      </PostForm>
      {isStranger && (
        <p class="after">
          Your own meeting? <a href={signInPath(meetingPath(id))}>Sign in</a>
        </p>
      )}
    </AccountPage>
  )
}
