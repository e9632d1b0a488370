import {
  type Answer,
  accountToken,
  authorizeQuery,
  exchange,
  type Http,
  me,
  refresh,
  refusal,
  revoke,
  tokensOf,
} from '../../support/oauth-client.ts'
import type { Session } from '../../support/people.ts'
import { pick, seededRandom } from '../../support/random.ts'
import { browserOf, type LoadApp, type LoadFixture } from './fixture.ts'
import { countResponses, fetchWhole, type Load, NotServed, runClients } from './load.ts'

/** Uses a secret at a server and returns descriptions of wrong responses. */
type Check = (server: Http) => Promise<string[]>

/** The current tokens of a grant, and a check of its consumed secrets. */
interface Grant {
  readonly access: string
  readonly latest: string
  readonly used: Check
}

/** An app and a user whose data it requests. */
interface Client {
  readonly server: Http
  readonly fixture: LoadFixture
  readonly app: LoadApp
  readonly browser: Session
  readonly random: () => number
  /** Checks by secret. Secrets affected by a write without a response are absent. */
  readonly certain: Map<string, Check>
  readonly grants: Grant[]
  /** Counts an acknowledged write. */
  done(): void
}

const good = '200 none'
const revoked = '401 none 4741'

const expectOutcome = async (what: string, response: Promise<Answer>, expected: string) => {
  const words = refusal(await response)
  return words === expected ? [] : [`${what}: ${words}`]
}

/** A load on the server at `url`. */
export interface LoadOptions {
  url: string
  fixture: LoadFixture
  seed: number
}

/** Starts one client for each app and user, which acts until `stop`. */
export function startTokenLoad({ url, fixture, seed }: LoadOptions): Load {
  const random = seededRandom(seed)
  const counts = countResponses(url)
  const { server, done } = counts
  const wrong: string[] = []
  const clients = fixture.apps.flatMap((app) =>
    fixture.cookies.map((cookie): Client => {
      const browser = browserOf(server, cookie)
      const known = { certain: new Map<string, Check>(), grants: [] }
      return { server, fixture, app, browser, random, ...known, done }
    }),
  )
  const acting = clients.map((client, first) => {
    // Each client starts at another action, so that every action happens early.
    let turn = first
    return async () => {
      const act = acts[turn++ % acts.length] ?? authorize
      await act(client).catch((error: unknown) => {
        if (error instanceof NotServed) throw error
        wrong.push(`${act.name}: ${error}`)
      })
    }
  })
  return {
    ...counts,
    stop: runClients(acting),
    verify: async (_databaseUrl, url) => {
      const at: Http = { http: (path, init = {}) => fetchWhole(url + path, init) }
      const lost = [...wrong]
      let checked = 0
      await Promise.all(
        clients.map(async ({ certain }) => {
          for (const check of certain.values()) {
            checked++
            lost.push(...(await check(at)))
          }
        }),
      )
      return { checked, lost, keptUnanswered: [] }
    },
  }
}

/** Records a new or refreshed grant. */
function keep(client: Client, response: Answer, used: Check): void {
  const { app, certain, grants, done } = client
  const { access_token: access, refresh_token: latest } = tokensOf(response)
  grants.push({ access, latest, used })
  certain.set(access, async (at) => [
    ...(await expectOutcome('access token', me(at, access), good)),
    ...(await expectOutcome('refresh token', refresh(at, app, latest), good)),
    // Must be last, because a replayed code ends the grant.
    ...(await used(at)),
  ])
  done()
}

/** Removes a grant and its checks from a client until `keep` records it again. */
function take({ grants, certain, random }: Client): Grant | undefined {
  const grant = pick(grants, random)
  if (!grant) return undefined
  grants.splice(grants.indexOf(grant), 1)
  certain.delete(grant.access)
  return grant
}

async function consent({ app, browser, certain, done }: Client): Promise<string> {
  const path = `/oauth/authorize?${authorizeQuery(app)}`
  const { headers } = await browser.fill(path, '/oauth/consent', { decision: 'allow' })
  const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  certain.set(code, (at) => expectOutcome('code', exchange(at, app, code), good))
  done()
  return code
}

async function leaveCode(client: Client): Promise<void> {
  await consent(client)
}

async function authorize(client: Client): Promise<void> {
  const { server, app, certain } = client
  const code = await consent(client)
  certain.delete(code)
  keep(client, await exchange(server, app, code), (at) =>
    expectOutcome('used code', exchange(at, app, code), '400 invalid_grant 4734'),
  )
}

async function renew(client: Client): Promise<void> {
  const { server, app } = client
  const grant = take(client)
  if (!grant) return authorize(client)
  const { latest, used } = grant
  keep(client, await refresh(server, app, latest), async (at) => [
    ...(await expectOutcome('used token', refresh(at, app, latest), '400 invalid_grant 4735')),
    ...(await used(at)),
  ])
}

async function revokeGrant(client: Client): Promise<void> {
  const { server, app, random, certain, done } = client
  const grant = take(client)
  if (!grant) return authorize(client)
  const { access, latest } = grant
  const { status } = await revoke(server, app, random() < 0.5 ? access : latest)
  if (status !== 200) throw new Error(`the revocation returned ${status}`)
  certain.set(access, async (at) => [
    ...(await expectOutcome('revoked access token', me(at, access), revoked)),
    ...(await expectOutcome(
      'revoked refresh token',
      refresh(at, app, latest),
      '400 invalid_grant 4741',
    )),
  ])
  done()
}

async function askForAccount(client: Client): Promise<void> {
  const { server, fixture, certain, done } = client
  const response = await accountToken(server, fixture.reporter, fixture.accountId)
  const { access_token: token } = tokensOf(response)
  certain.set(token, (at) => expectOutcome('account token', me(at, token), good))
  done()
}

async function removeApp(client: Client): Promise<void> {
  const { app, browser, certain, done } = client
  const page = await (await browser.get('/my/apps')).text()
  const form = page.split('<form').find((one) => one.includes(app.id))
  if (form === undefined) return authorize(client)
  // Removing an app ends its codes as well.
  certain.clear()
  const ended = client.grants.splice(0)
  const { status } = await browser.submit(`<form${form}`, '/my/apps/remove')
  if (status !== 303) throw new Error(`the removal returned ${status}`)
  for (const { access } of ended) {
    certain.set(access, (at) => expectOutcome('removed access token', me(at, access), revoked))
  }
  done()
}

/** Actions of each client, in order. */
const acts = [
  ...[authorize, renew, askForAccount, renew, removeApp],
  ...[leaveCode, revokeGrant, authorize, renew, askForAccount],
]
