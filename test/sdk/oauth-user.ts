import type { Applied } from '@skillpass/server/apply'
import { authorize } from '@skillpass/server/oauth/authorize'
import { decideConsent } from '@skillpass/server/oauth/consent'
import { decideDevice } from '@skillpass/server/oauth/device'
import { createSession, findSession } from '@skillpass/server/platform/sign-in'
import { userOf } from '../support/oauth.ts'
import type { TestServer } from '../support/server.ts'

/** What a user decides; allows everything that is required without it. */
export interface UserDecision {
  allow?: boolean
  /** Optional scopes that the user ticks. */
  ticked?: readonly string[]
}

/** A signed-in user, who answers what apps ask. */
export interface TestUser {
  readonly id: string
  /** Opens an authorization address and decides; gives where the browser is sent. */
  consent(url: string, decision?: UserDecision): Promise<string>
  /** Enters a device's code and decides. */
  enterCode(userCode: string, decision?: UserDecision): Promise<void>
}

/** Signs a declared user in at a test's server. */
export async function signedInUser(
  { ctx }: Pick<TestServer, 'ctx'>,
  applied: Applied,
  email: string,
): Promise<TestUser> {
  const { id } = userOf(applied, email)
  const session = await findSession(ctx, await createSession(ctx, { id }))
  if (!session) throw new Error(`${email} could not be signed in.`)
  return {
    id,
    async consent(url, { allow = true, ticked = [] } = {}) {
      const answer = await authorize(ctx, new URL(url).search.slice(1), session)
      if (answer.kind === 'redirect') return answer.location
      if (answer.kind !== 'consent') throw new Error(`No consent page, but ${answer.kind}.`)
      return decideConsent(ctx, session, { request: answer.consent.request, allow, ticked })
    },
    async enterCode(userCode, { allow = true, ticked = [] } = {}) {
      const decision = { userCode, allow, ticked, address: '127.0.0.1' }
      if (!(await decideDevice(ctx, session, decision))) throw new Error('No such device.')
    },
  }
}
