import type { Authorize } from '@skillpass/contract'
import type { z } from 'zod'
import { fail } from '../../errors/failure.ts'
import { removeAddedApp } from '../../oauth/added-apps.ts'
import { authorize } from '../../oauth/authorize.ts'
import { listRedirectUrisOf } from '../../oauth/clients.ts'
import { decideConsent } from '../../oauth/consent.ts'
import { decideDevice, findWaitingDevice } from '../../oauth/device.ts'
import { createSession, endSession, type Session } from '../../people/sign-in.ts'
import type { Context } from '../../runtime/context.ts'
import { hashSecret } from '../../secrets/secrets.ts'
import { findClient } from '../../store/oauth/clients.ts'
import { findUser, findUserByEmail } from '../../store/platform/users.ts'
import type { Names } from './names.ts'

/** What users decide on pages, without a browser. */
export function createConsent(ctx: Context, names: Names) {
  /** Acts in a session of the user, which ends afterwards. */
  async function as<T>(ref: string, act: (session: Session) => Promise<T>): Promise<T> {
    const user =
      (await findUserByEmail(ctx.db.read, ref)) ??
      (await findUser(ctx.db.read, ref)) ??
      fail('NOT_FOUND', `There is no user "${ref}".`)
    const key = hashSecret(await createSession(ctx, user, 'the double'))
    try {
      return await act({ user, key })
    } finally {
      await endSession(ctx, key)
    }
  }
  const decide = (userCode: string, user: string, allow: boolean) =>
    as(user, async (session) => {
      const device = await findWaitingDevice(ctx, session, userCode)
      if (typeof device === 'object' && device.refusal && allow) {
        fail('CONFLICT', `${user} may not allow ${device.client.app.name}.`)
      }
      const ticked = typeof device === 'object' ? device.optional.map(({ scope }) => scope) : []
      const decided = await decideDevice(ctx, session, { userCode, allow, ticked })
      if (decided === undefined) fail('NOT_FOUND', `No device waits with the code ${userCode}.`)
      if ((decided === 'denied') === allow) fail('CONFLICT', `The device is ${decided}.`)
    })

  const visit = (address: string | URL, user: string, { allow = true, ticked }: Choice = {}) =>
    as(user, async (session) => {
      const asked = await authorize(ctx, String(address).replace(/^.*?\?/, ''), session)
      if (asked.kind === 'refused') {
        const { fault, refusal } = asked
        fail('CONFLICT', fault?.error.message ?? ('message' in refusal ? refusal.message : ''))
      }
      if (asked.kind === 'redirect') return answerOf(asked.location)
      if (asked.kind === 'not-allowed') return answerOf(asked.back)
      if (asked.kind === 'sign-in') return fail('CONFLICT', 'The user is not signed in.')
      const { request, optional } = asked.consent
      const all = optional.map(({ scope }) => scope)
      const decision = { request, allow, ticked: ticked ?? all }
      return answerOf(await decideConsent(ctx, session, decision))
    })

  return {
    /** Opens an authorization address that an app made, and decides as a user. */
    visit,
    /** Asks for authorization as an app, and decides as a user. Returns where the browser goes. */
    async authorize(input: z.input<typeof Authorize>) {
      const { user, scopes, decline, state, codeChallenge } = input
      const client =
        (await findClient(ctx.db.read, names.clientId(input.app))) ??
        fail('NOT_FOUND', `There is no app "${input.app}".`)
      const [first = ''] = await listRedirectUrisOf(ctx.db.read, client)
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client.clientId,
        redirect_uri: input.redirectUri ?? first,
        ...(scopes && { scope: scopes.join(' ') }),
        ...(state !== undefined && { state }),
        ...(codeChallenge && {
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
        }),
      })
      return visit(`?${query}`, user, { allow: !decline })
    },
    approveDevice: (userCode: string, user: string) => decide(userCode, user, true),
    denyDevice: (userCode: string, user: string) => decide(userCode, user, false),
    /** Removes an app as a user does on `/my/apps`. */
    removeApp: (app: string, user: string) =>
      as(user, async (session) => {
        if (!(await removeAddedApp(ctx, session.user, names.appId(app)))) {
          fail('CONFLICT', `${user} has not added ${app}.`)
        }
      }),
  }
}

/** What a user decides about an app. */
export interface Choice {
  readonly allow?: boolean
  /** The optional scopes that the user selects. By default, all. */
  readonly ticked?: readonly string[]
}

const answerOf = (location: string) => {
  const { searchParams } = new URL(location)
  const [code, error] = [searchParams.get('code'), searchParams.get('error')]
  return { location, ...(code !== null && { code }), ...(error !== null && { error }) }
}
