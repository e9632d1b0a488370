import { type Request, type Response, Router } from 'express'
import { fail } from '../../errors/failure.ts'
import { clientAddress } from '../../limits/client-address.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { type Entry, enterMeeting, findOwnMeeting } from '../../platform/meeting-entry.ts'
import { meetingPath } from '../../platform/meeting-links.ts'
import { readMeetingNumber } from '../../platform/meeting-number.ts'
import { describeProgress, endMeeting, startMeeting } from '../../platform/meeting-state.ts'
import type { HostedMeeting } from '../../platform/meetings.ts'
import { passcodeOf } from '../../platform/passcodes.ts'
import { renderMeetingPage } from '../pages/meeting.tsx'
import { renderMeetingPasscodePage } from '../pages/meeting-passcode.tsx'
import { type Form, formOf } from './form.ts'
import { findViewer, seeOther, sendPage } from './page.ts'
import { signInPath } from './return-to.ts'
import { formToken, readVisit, requireOwnForm, type Visit } from './session.ts'

/** Longest passcode that is looked at; none is as long. */
const passcodeLength = 64

/** A meeting's page: what it is, which apps have access to it, and the host's buttons. */
export function meetingsRoutes(ctx: OAuthContext): Router {
  const router = Router()

  router.get('/meetings/:id', async (req, res) => {
    const id = numberOf(req)
    const visit = await readVisit(ctx, req, res)
    const user = visit.session?.user
    const entry = await enterMeeting(ctx, id, {
      user,
      passcode: isShown(req) ? inQuery(req, 'pwd').slice(0, passcodeLength) : '',
      token: inQuery(req, 'token'),
      address: clientAddress(req),
    })
    if (!('admitted' in entry)) return askForPasscode(res, visit, id, entry)
    const isHost = user?.id === entry.admitted.host.id
    return showMeeting(ctx, res, visit, entry.admitted, isHost ? '' : undefined)
  })

  // The passcode stands in the address afterwards, as it does in the link of an invitation.
  router.post('/meetings/:id', async (req, res) => {
    const id = numberOf(req)
    const { form } = await readOwnForm(ctx, req, res, entryPurpose(id))
    const passcode = form.one('passcode').trim().slice(0, passcodeLength)
    seeOther(res, `${meetingPath(id)}?${new URLSearchParams({ pwd: passcode })}`)
  })

  router.get('/meetings/:id/start', async (req, res) => {
    const id = numberOf(req)
    const visit = await readVisit(ctx, req, res)
    const zak = inQuery(req, 'zak')
    const own = await findOwnMeeting(ctx, id, { user: visit.session?.user, zak })
    if (own) return showMeeting(ctx, res, visit, own, zak)
    if (!visit.session) return seeOther(res, signInPath(`${meetingPath(id)}/start`))
    return refuseOthers()
  })

  router.post('/meetings/:id/start', async (req, res) => {
    const { id, next } = await readHostForm(ctx, req, res, startPurpose)
    await startMeeting(ctx, id)
    seeOther(res, next)
  })

  router.post('/meetings/:id/end', async (req, res) => {
    const { id, next } = await readHostForm(ctx, req, res, endPurpose)
    await endMeeting(ctx, id)
    seeOther(res, next)
  })

  return router
}

const entryPurpose = (id: number) => `enter meeting ${id}`
const startPurpose = (id: number) => `start meeting ${id}`
const endPurpose = (id: number) => `end meeting ${id}`

/** The number in the address; NOT_FOUND for what no meeting can have. */
function numberOf({ params }: Request<{ id: string }>): number {
  return (
    readMeetingNumber(params.id) ?? fail(404, 'The number of a meeting has ten or eleven digits.')
  )
}

/** Pages of others can have an address loaded as an image, which must not count as a guess. */
const isShown = (req: Request) => (req.get('sec-fetch-dest') ?? 'document') === 'document'

/** A parameter of the query, empty where it is absent or stands there twice. */
function inQuery({ query }: Pick<Request, 'query'>, name: string): string {
  const value = query[name]
  return typeof value === 'string' ? value : ''
}

async function readOwnForm(
  ctx: OAuthContext,
  req: Request,
  res: Response,
  purpose: string,
): Promise<{ visit: Visit; form: Form }> {
  const visit = await readVisit(ctx, req, res)
  const form = formOf(req)
  requireOwnForm(ctx, req, visit, { purpose, token: form.one('csrf') })
  return { visit, form }
}

/** A form of the host's page, and where to go on. FORBIDDEN for everybody else. */
async function readHostForm(
  ctx: OAuthContext,
  req: Request<{ id: string }>,
  res: Response,
  purposeOf: (id: number) => string,
): Promise<{ id: number; next: string }> {
  const id = numberOf(req)
  const { visit, form } = await readOwnForm(ctx, req, res, purposeOf(id))
  const zak = form.one('zak')
  const own = await findOwnMeeting(ctx, id, { user: visit.session?.user, zak })
  if (!own) return refuseOthers()
  const next =
    zak === '' ? meetingPath(id) : `${meetingPath(id)}/start?${new URLSearchParams({ zak })}`
  return { id, next }
}

const refuseOthers = (): never =>
  fail(403, 'Only the host can start and end this meeting, signed in or by a fresh link.')

/** Shows a meeting, with the host's buttons where `zak` is given, if only an empty one. */
async function showMeeting(
  ctx: OAuthContext,
  res: Response,
  visit: Visit,
  { meeting, host }: HostedMeeting,
  zak: string | undefined,
): Promise<void> {
  const { id } = meeting
  const progress = await describeProgress(ctx, meeting)
  const tokens = {
    start: formToken(visit, startPurpose(id)),
    end: formToken(visit, endPurpose(id)),
  }
  const controls =
    zak === undefined ? undefined : { zak, tokens, passcode: passcodeOf(ctx, meeting) }
  const viewer = findViewer(visit)
  sendPage(res, renderMeetingPage({ meeting, host, ...progress, controls, viewer }))
}

const refusals = {
  unknown: undefined,
  mismatch: 'No meeting has this number and this passcode.',
  tooMany: 'Too many wrong passcodes. Try again in a few minutes.',
}
const statuses = { unknown: 200, mismatch: 403, tooMany: 429 }

function askForPasscode(
  res: Response,
  visit: Visit,
  id: number,
  entry: Exclude<Entry, { admitted: unknown }>,
): void {
  if ('retryAfter' in entry) res.set('Retry-After', String(entry.retryAfter))
  const page = {
    id,
    token: formToken(visit, entryPurpose(id)),
    signInPath: signInPath(meetingPath(id)),
    viewer: findViewer(visit),
    refusal: refusals[entry.refused],
  }
  sendPage(res, renderMeetingPasscodePage(page), statuses[entry.refused])
}
