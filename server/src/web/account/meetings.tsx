import type { Request } from 'express'
import { fail } from '../../errors/failure.ts'
import { enterMeeting, findMeetingOfHost } from '../../meetings/meeting-entry.ts'
import {
  describeProgress,
  endMeeting,
  joinMeeting,
  leaveMeeting,
  type Participant,
  startMeeting,
  visitorOf,
} from '../../meetings/meeting-state.ts'
import type { HostedMeeting } from '../../meetings/meetings.ts'
import { joinUrl, meetingPath, passcodeOf, readMeetingNumber } from '../../people/meeting-access.ts'
import { displayNameOf } from '../../people/serialize.ts'
import { EntryPage } from '../ui/account.tsx'
import { type Entrance, meetingNumber, meetingPage } from './meeting.tsx'
import { type Answer, type PageExchange, readQuery, redirect, show } from './page.ts'
import { signInPath } from './return-to.ts'

/** Characters of an entered passcode that are compared; passcodes are shorter. */
const passcodeLength = 64

/** Handles a form of the host's page. Throws 403 for anyone but the host. */
const hostForm =
  (change: typeof startMeeting) =>
  async ({ ctx, req, visit, form }: PageExchange): Promise<Answer> => {
    const id = numberOf(req)
    const zak = form.one('zak')
    const own = await findMeetingOfHost(ctx, id, { user: visit.session?.user, zak })
    if (!own) fail(403, onlyForHost)
    await change(ctx, id)
    const start = zak && `/start?${new URLSearchParams({ zak })}`
    return redirect(meetingPath(id) + start)
  }

const meetingsPath = '/meetings'
const badNumber = 'A meeting number has ten or eleven digits.'

export const meetingsPages = {
  [meetingsPath]: {
    get: async () => show(numberPage()),
    async post({ form }: PageExchange) {
      const typed = form.one('number')
      const id = readMeetingNumber(typed.replace(/[\s-]/g, ''))
      return id ? redirect(meetingPath(id)) : show(numberPage(typed, badNumber), 400)
    },
  },
  '/meetings/:id': {
    async get(exchange: PageExchange) {
      const { req, res, visit } = exchange
      const id = numberOf(req)
      const user = visit.session?.user
      const pwd = isShown(req) ? readQuery(req, 'pwd') : ''
      const keys = { pwd, token: readQuery(req, 'token') }
      const entry = await enter(exchange, id, keys)
      if ('refused' in entry) {
        if ('retryAfter' in entry) res.set('Retry-After', String(entry.retryAfter))
        const [status, refusal] = refusals[entry.refused]
        return show(passcodePage(id, refusal, !user), status)
      }
      const { admitted, visitor } = entry
      const isVisitor = (one: Participant) =>
        one.id === readQuery(req, 'participant') || (visitor && one.userId === visitor.id)
      const name = visitor ? displayNameOf(visitor) : ''
      const isHost = user?.id === admitted.host.id
      return showMeeting(exchange, admitted, isHost ? '' : undefined, { keys, isVisitor, name })
    },
    // The passcode moves to the query, where the link of an invitation has it too.
    async post({ req, form }: PageExchange) {
      const passcode = form.one('passcode').trim().slice(0, passcodeLength)
      return redirect(`${meetingPath(numberOf(req))}?${new URLSearchParams({ pwd: passcode })}`)
    },
  },
  '/meetings/:id/start': {
    async get(exchange: PageExchange) {
      const { ctx, req, visit } = exchange
      const id = numberOf(req)
      const zak = readQuery(req, 'zak')
      const own = await findMeetingOfHost(ctx, id, { user: visit.session?.user, zak })
      if (own) return showMeeting(exchange, own, zak)
      if (!visit.session) return redirect(signInPath(`${meetingPath(id)}/start`))
      return fail(403, onlyForHost)
    },
    post: hostForm(startMeeting),
  },
  '/meetings/:id/end': { post: hostForm(endMeeting) },
  '/meetings/:id/join': {
    async post(exchange: PageExchange) {
      const { ctx, req, form } = exchange
      const id = numberOf(req)
      const keys = { pwd: form.one('pwd'), token: form.one('token') }
      const entry = await enter(exchange, id, keys)
      if ('refused' in entry) return redirect(pathWith(id, keys))
      const visitor = { ...(entry.visitor && visitorOf(entry.visitor)), name: form.one('name') }
      const { id: participant } = await joinMeeting(ctx, id, visitor)
      return redirect(pathWith(id, { ...keys, participant }))
    },
  },
  '/meetings/:id/leave': {
    async post({ ctx, req, form }: PageExchange) {
      const id = numberOf(req)
      await leaveMeeting(ctx, id, { by: 'id', value: form.one('participant') })
      return redirect(pathWith(id, { pwd: form.one('pwd'), token: form.one('token') }))
    },
  },
}

/** What admits a visitor, in the query of the page and in its forms. */
type Keys = Readonly<Record<'pwd' | 'token', string>>

const enter = ({ ctx, visit }: PageExchange, id: number, { pwd, token }: Keys) => {
  const passcode = pwd.slice(0, passcodeLength)
  return enterMeeting(ctx, id, { user: visit.session?.user, passcode, token })
}

const pathWith = (id: number, parameters: Record<string, string>): string =>
  `${meetingPath(id)}?${new URLSearchParams(parameters)}`

/** Returns the meeting number in the path. Throws 404 if it is malformed. */
const numberOf = ({ params }: Request): number =>
  readMeetingNumber(String(params.id)) ?? fail(404, badNumber)

/**
 * False for images and frames: another site could load them to use up a user's passcode attempts.
 */
const isShown = (req: Request) => (req.get('sec-fetch-dest') ?? 'document') === 'document'

const onlyForHost =
  'Only the host can start or end this meeting. Sign in as the host, or use a new start link.'

/** Shows a meeting. With a `zak`, which may be empty, it includes the host's buttons. */
async function showMeeting(
  { ctx }: PageExchange,
  own: HostedMeeting,
  zak?: string,
  entrance?: Entrance,
): Promise<Answer> {
  const progress = await describeProgress(ctx, own.meeting)
  const passcode = passcodeOf(ctx, own.meeting)
  const invitation = joinUrl(ctx.config, own.meeting.id, passcode)
  const controls = zak === undefined ? undefined : { zak, passcode, invitation }
  return show(meetingPage({ ...own, ...progress, controls, entrance }))
}

/** Status of the page that asks for a passcode, and why the entered one was refused. */
const refusals = {
  unknown: [200, undefined],
  mismatch: [403, 'This passcode does not match the meeting number.'],
  tooMany: [429, 'Too many wrong passcodes. Try again in a few minutes.'],
} as const

/**
 * Asks for a passcode. Numbers without a meeting get the same page, so they cannot be enumerated.
 */
const passcodePage = (id: number, issue: string | undefined, isStranger: boolean) => (
  <EntryPage
    title="Enter the passcode"
    action={meetingPath(id)}
    name="passcode"
    label="Passcode"
    hint={`For meeting ${meetingNumber(id)}. You'll find it in the invitation.`}
    issue={issue}
    value=""
    autocapitalize="none"
    after={
      isStranger && (
        <>
          Are you the host? <a href={signInPath(meetingPath(id))}>Sign in</a>
        </>
      )
    }
  />
)

/** Asks for a meeting number, again if it was wrong. */
const numberPage = (value = '', issue?: string) => (
  <EntryPage
    title="Join a meeting"
    action={meetingsPath}
    name="number"
    label="Meeting number"
    hint="You'll find it in the invitation."
    {...{ value, issue }}
  />
)
