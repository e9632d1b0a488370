import type { Request } from 'express'
import { fail } from '../../errors/failure.ts'
import { clientAddress } from '../../limits/client-address.ts'
import { type Entry, enterMeeting, findOwnMeeting } from '../../platform/meeting-entry.ts'
import { meetingPath } from '../../platform/meeting-links.ts'
import { readMeetingNumber } from '../../platform/meeting-number.ts'
import { describeProgress, endMeeting, startMeeting } from '../../platform/meeting-state.ts'
import type { HostedMeeting } from '../../platform/meetings.ts'
import { passcodeOf } from '../../platform/passcodes.ts'
import { PostForm } from '../ui/account.tsx'
import { Refusal, Submit } from '../ui/fields.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { ownForm, type VisitedExchange, type WithForm } from './handlers.ts'
import { meetingNumber, meetingPage } from './meeting.tsx'
import { type Answer, type Exchange, goOn, type PageRoute, show } from './page.ts'
import { signInPath } from './return-to.ts'
import { formToken, isSignedIn, readVisit, type Visit } from './session.ts'

/** Longest passcode that is looked at; none is as long. */
const passcodeLength = 64

/** For what the forms of a meeting are good. */
const purposes = {
  enter: (id: number) => `enter meeting ${id}`,
  start: (id: number) => `start meeting ${id}`,
  end: (id: number) => `end meeting ${id}`,
}

/** Handles a form of a meeting's page. */
const meetingForm =
  (
    purposeOf: (id: number) => string,
    act: (id: number, sent: WithForm<VisitedExchange>) => Promise<Answer>,
  ) =>
  async (exchange: Exchange): Promise<Answer> => {
    const id = numberOf(exchange.req)
    return ownForm(purposeOf(id), (sent) => act(id, sent))(exchange)
  }

/** Handles a form of the host's page; a failure 403 for everybody else. */
const hostForm = (purposeOf: (id: number) => string, change: typeof startMeeting) =>
  meetingForm(purposeOf, async (id, { ctx, visit, form }) => {
    const zak = form.one('zak')
    if (!(await findOwnMeeting(ctx, id, { user: visit.session?.user, zak }))) return refuseOthers()
    await change(ctx, id)
    return goOn(
      zak === '' ? meetingPath(id) : `${meetingPath(id)}/start?${new URLSearchParams({ zak })}`,
    )
  })

/** A meeting's page: what it is, which apps have access to it, and the host's buttons. */
export const meetingsPages: PageRoute[] = [
  {
    path: '/meetings/:id',
    async get(exchange) {
      const { ctx, req } = exchange
      const id = numberOf(req)
      const visit = await readVisit(exchange)
      const user = visit.session?.user
      const entry = await enterMeeting(ctx, id, {
        user,
        passcode: isShown(req) ? inQuery(req, 'pwd').slice(0, passcodeLength) : '',
        token: inQuery(req, 'token'),
        address: clientAddress(req),
      })
      if (!('admitted' in entry)) return askForPasscode(exchange, visit, id, entry)
      const isHost = user?.id === entry.admitted.host.id
      return showMeeting(exchange, visit, entry.admitted, isHost ? '' : undefined)
    },
    // The passcode stands in the address afterwards, as it does in the link of an invitation.
    post: meetingForm(purposes.enter, async (id, { form }) => {
      const passcode = form.one('passcode').trim().slice(0, passcodeLength)
      return goOn(`${meetingPath(id)}?${new URLSearchParams({ pwd: passcode })}`)
    }),
  },
  {
    path: '/meetings/:id/start',
    async get(exchange) {
      const { ctx, req } = exchange
      const id = numberOf(req)
      const visit = await readVisit(exchange)
      const zak = inQuery(req, 'zak')
      const own = await findOwnMeeting(ctx, id, { user: visit.session?.user, zak })
      if (own) return showMeeting(exchange, visit, own, zak)
      if (!visit.session) return goOn(signInPath(`${meetingPath(id)}/start`))
      return refuseOthers()
    },
    post: hostForm(purposes.start, startMeeting),
  },
  { path: '/meetings/:id/end', post: hostForm(purposes.end, endMeeting) },
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
  visit: Visit,
  { meeting, host }: HostedMeeting,
  zak: string | undefined,
): Promise<Answer> {
  const { id } = meeting
  const progress = await describeProgress(ctx, meeting)
  const tokens = {
    start: formToken(visit, purposes.start(id)),
    end: formToken(visit, purposes.end(id)),
  }
  const controls =
    zak === undefined ? undefined : { zak, tokens, passcode: passcodeOf(ctx, meeting) }
  return show(meetingPage({ meeting, host, ...progress, controls }))
}

const refusals = {
  unknown: undefined,
  mismatch: 'This passcode does not match the meeting number.',
  tooMany: 'Too many wrong passcodes. Try again in a few minutes.',
}
const statuses = { unknown: 200, mismatch: 403, tooMany: 429 }

function askForPasscode(
  { res }: Exchange,
  visit: Visit,
  id: number,
  entry: Exclude<Entry, { admitted: unknown }>,
): Answer {
  if ('retryAfter' in entry) res.set('Retry-After', String(entry.retryAfter))
  return show(passcodePage(visit, id, refusals[entry.refused]), statuses[entry.refused])
}

/** Asks for the passcode of a meeting; the same page stands at numbers that are no meeting's. */
function passcodePage(visit: Visit, id: number, refusal: string | undefined) {
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
      <PostForm
        action={meetingPath(id)}
        token={formToken(visit, purposes.enter(id))}
        class="fields"
      >
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
      {!isSignedIn(visit) && (
        <p class="after">
          Your own meeting? <a href={signInPath(meetingPath(id))}>Sign in</a>
        </p>
      )}
    </AccountPage>
  )
}
