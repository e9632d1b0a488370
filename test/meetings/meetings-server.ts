import { createClient } from '@skillpass/client'
import type { MeetingPage } from '@skillpass/contract'
import type { z } from 'zod'
import { addUser, generalApp, serverApp, user } from '../support/apps.ts'
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts'
import type { TestServerOptions } from '../support/server.ts'

/** Apps that create and read meetings of a user, of the account and of its sub-accounts. */

const bases = [
  'meeting:write:meeting',
  'meeting:read:list_meetings',
  'meeting:read:meeting',
  'meeting:update:meeting',
  'meeting:delete:meeting',
  'user:read:user',
]
const ofLevel = (level: string) => bases.map((base) => `${base}:${level}`)

let hosts = 0

const declaration = {
  accounts: [
    {
      name: 'Acme',
      users: [user('second@acme.test', 'member')],
      subAccounts: [{ name: 'Acme West', users: [user('host@west.test', 'member')] }],
    },
  ],
  apps: [
    generalApp('Planner', bases),
    serverApp('Office', ofLevel('admin')),
    serverApp('Group office', ofLevel('master')),
  ],
} as const

/** A client of the meeting API with one token. A string body is sent unchanged, others as JSON. */
function callerOf(server: OAuthServer, accessToken: string) {
  const client = createClient({ baseUrl: server.url, accessToken, retries: 0 }).platform
  const send = (method: string, path: string, body?: unknown) =>
    server.callWith(accessToken, path, { method, body })
  return {
    client,
    get: (path: string) => send('GET', path),
    remove: (path: string) => send('DELETE', path),
    post: (path: string, body: unknown) => send('POST', path, body),
    patch: (path: string, body: unknown) => send('PATCH', path, body),
    /** Creates a meeting of the token's user. */
    make: (body: object = {}) => client.meetings.create({ params: { userId: 'me' }, body }),
    /** The number of the personal meeting of the token's user. */
    pmi: async () => Number((await send('GET', '/v2/users/me')).body.pmi),
    /** Lists meetings of the token's user. */
    list: async (query = ''): Promise<z.output<typeof MeetingPage>> => {
      const answer = await send('GET', `/v2/users/me/meetings?${query}`)
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
      return JSON.parse(answer.text)
    },
  }
}

export type MeetingsServer = Awaited<ReturnType<typeof startMeetings>>

/** A server with these apps. */
export async function startMeetings(options: TestServerOptions = {}) {
  const server = await startOAuthServer(options, declaration)
  /** A client with a token that a user has given Planner. */
  const as = async (email: string) => callerOf(server, await server.tokenOf('Planner', email))
  return {
    ...server,
    as,
    /** A client with a token that a new user of Acme has given Planner. */
    newHost: async () => {
      const email = `host-${++hosts}@acme.test`
      const id = await addUser(server, email)
      return { ...(await as(email)), email, id }
    },
    /** A client with an account token. */
    office: async (name: 'Office' | 'Group office', account: string) =>
      callerOf(server, await server.ownTokenOf(name, account)),
  }
}

export const meetingPath = (id: unknown): string => `/v2/meetings/${id}`
