import { generalApp } from './apps.ts'
import { type Answer, read } from './oauth-client.ts'
import { type Call, callWith } from './platform.ts'
import type { TestServer } from './server.ts'

type Server = Pick<TestServer, 'apply' | 'http' | 'seed'>

const [app, account] = ['Meeting planner', 'Planning']
const scopes = ['meeting:write:meeting', 'meeting:delete:meeting', 'user:read:token']

/** Calls the API for a user with a token of an app of another account. Throws if the call fails. */
async function callAs(server: Server, email: string, path: string, call?: Call): Promise<Answer> {
  await server.apply({
    accounts: [{ name: account }],
    apps: [generalApp(app, scopes, { account })],
  })
  const { tokens } = await server.seed({ tokens: [{ app, user: email, name: app }] })
  const answer = await callWith(server, tokens[app]?.accessToken, path, call)
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
