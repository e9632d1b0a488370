import { credentialsOf, generalApp } from './apps.ts'
import { type Answer, type App, read } from './oauth-client.ts'
import { grantOf } from './oauth-server.ts'
import { openSession } from './people.ts'
import { type Call, callWith } from './platform.ts'
import type { TestServer } from './server.ts'

type Server = Pick<TestServer, 'apply' | 'ctx' | 'http'>

const scopes = ['meeting:write:meeting', 'meeting:delete:meeting', 'user:read:token']

const planners = new WeakMap<object, Promise<App>>()

/** Returns an app of another account that any user can allow to plan meetings. */
function plannerOf({ apply, ctx }: Server): Promise<App> {
  const name = 'Meeting planner'
  const account = 'Planning'
  const declare = () =>
    apply({ accounts: [{ name: account }], apps: [generalApp(name, scopes, { account })] })
  const planner = planners.get(ctx) ?? declare().then((applied) => credentialsOf(applied, name))
  planners.set(ctx, planner)
  return planner
}

/** Calls the API for a user through the planning app. Throws if the call fails. */
async function callAs(server: Server, email: string, path: string, call?: Call): Promise<Answer> {
  const { access_token } = await grantOf(server, await plannerOf(server), { email })
  const answer = await callWith(server, access_token, path, call)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer
}

/** Creates a meeting of a user with the passcode `a1B2c3`. */
export async function makeMeeting(server: Server, email: string, more: object = {}) {
  const body = {
    topic: 'Weekly review',
    start_time: '2026-11-23T10:30:00',
    timezone: 'Europe/Berlin',
    duration: 45,
    password: 'a1B2c3',
    ...more,
  }
  const made = await callAs(server, email, '/v2/users/me/meetings', { method: 'POST', body })
  return { id: Number(made.body.id), startUrl: String(made.body.start_url) }
}

export const deleteMeeting = (server: Server, email: string, id: number) =>
  callAs(server, email, `/v2/meetings/${id}`, { method: 'DELETE' })

/** Creates a meeting token for a user. */
export async function meetingToken(server: Server, email: string, type: 'token' | 'zak') {
  const { body } = await callAs(server, email, `/v2/users/me/token?type=${type}`)
  return String(body.token)
}

/** Starts or ends a meeting with the button on the page of its start link. */
export async function changeMeeting(
  server: Pick<Server, 'http'>,
  startUrl: string,
  act: 'start' | 'end',
): Promise<void> {
  const { pathname, search } = new URL(startUrl)
  const session = openSession(server)
  const html = await (await session.get(pathname + search)).text()
  const { status } = await session.submit(html, pathname.replace(/start$/, act))
  if (status !== 303) throw new Error(`The meeting did not ${act}: ${status}`)
}

/** Whether a zak opens the host's page of a user's personal meeting. */
export async function opensAsHost({ http }: Pick<Server, 'http'>, pmi: unknown, zak: string) {
  const { status } = await read(http(`/meetings/${pmi}/start?${new URLSearchParams({ zak })}`))
  if (status !== 200 && status !== 303) throw new Error(`The start page returned ${status}.`)
  return status === 200
}

/** Returns functions that call the API with a token of an app. */
export function listener(server: Pick<TestServer, 'http'>, accessToken: string) {
  const send = (path: string, call?: Call) => callWith(server, accessToken, path, call)
  return {
    send,
    report: (meeting: number | string, body: unknown = { content_type: 'audio' }) =>
      send(`/v2/meetings/${meeting}/content_access`, { method: 'POST', body }),
    end: (meeting: number | string, id: unknown) =>
      send(`/v2/meetings/${meeting}/content_access/${id}`, { method: 'DELETE' }),
    indicator: (meeting: number | string, query = 'client_version=5.6.7') =>
      send(`/v2/meetings/${meeting}/app_indicator?${query}`),
  }
}
