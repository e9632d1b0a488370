import { createClient } from '@skillpass/client'
import type { MeetingPage } from '@skillpass/contract'
import type { z } from 'zod'
import { accountOf, credentialsOf, declare, generalApp, password, userOf } from '../support/apps.ts'
import {
  type Answer,
  type OAuthServer,
  startOAuthServer,
  tokensOf,
} from '../support/oauth-server.ts'
import { callWith } from '../support/platform.ts'
import type { TestServerOptions } from '../support/server.ts'

/** Apps that make and read meetings of a user, of the account and of the accounts below it. */

const bases = [
  'meeting:write:meeting',
  'meeting:read:list_meetings',
  'meeting:read:meeting',
  'meeting:update:meeting',
  'meeting:delete:meeting',
]
const serverApp = (name: string, suffix: string) => ({
  name,
  account: 'Acme',
  type: 'server-to-server' as const,
  scopes: bases.map((base) => base + suffix),
})

let hosts = 0

const declaration = {
  accounts: [
    {
      name: 'Acme',
      users: [{ email: 'second@acme.test', password, role: 'member' }],
      subAccounts: [
        { name: 'Acme West', users: [{ email: 'host@west.test', password, role: 'member' }] },
      ],
    },
  ],
  apps: [
    generalApp('Planner', bases),
    serverApp('Office', ':admin'),
    serverApp('Group office', ':master'),
  ],
} as const

/** How tests speak to the meeting API with one token. */
export interface MeetingCaller {
  readonly client: ReturnType<typeof createClient>['platform']
  get(path: string): Promise<Answer>
  remove(path: string): Promise<Answer>
  /** `body` as JSON, or as it is where it is text. */
  post(path: string, body: unknown): Promise<Answer>
  patch(path: string, body: unknown): Promise<Answer>
  /** Makes a meeting of the token's user. */
  make(body?: object): ReturnType<MeetingCaller['client']['meetings']['create']>
  /** A list of the token's user. */
  list(query?: string): Promise<z.output<typeof MeetingPage>>
}

export interface MeetingsServer extends OAuthServer {
  readonly idOf: (email: string) => string
  readonly call: (accessToken: string) => MeetingCaller
  /** With a token that a user has given Planner. */
  readonly as: (email: string) => Promise<MeetingCaller>
  /** With a token that a new user of Acme has given Planner. */
  readonly newHost: () => Promise<MeetingCaller & { readonly email: string; readonly id: string }>
  /** With a token of an account's own. */
  readonly office: (app: 'Office' | 'Group office', account: string) => Promise<MeetingCaller>
}

/** A server with these apps. */
export async function startMeetings(options: TestServerOptions = {}): Promise<MeetingsServer> {
  const server = await startOAuthServer(options)
  const applied = await declare(server, declaration)
  const accounts = [...applied.accounts, ...server.applied.accounts]
  const call = (accessToken: string): MeetingCaller => {
    const client = createClient({ baseUrl: server.url, accessToken, retries: 0 }).platform
    const send = (method: string, path: string, body?: unknown) =>
      callWith(server, accessToken, path, { method, body })
    const get = (path: string) => send('GET', path)
    return {
      client,
      get,
      remove: (path) => send('DELETE', path),
      post: (path, body) => send('POST', path, body),
      patch: (path, body) => send('PATCH', path, body),
      make: (body = {}) => client.meetings.create({ params: { userId: 'me' }, body }),
      list: async (query = '') => {
        const answer = await get(`/v2/users/me/meetings?${query}`)
        if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
        return JSON.parse(answer.text)
      },
    }
  }
  const as = async (email: string) => {
    const { access_token } = await server.grantOf(credentialsOf(applied, 'Planner'), { email })
    return call(access_token)
  }
  return {
    ...server,
    call,
    idOf: (email) => userOf({ ...applied, accounts }, email).id,
    as,
    newHost: async () => {
      const email = `host-${++hosts}@acme.test`
      const users = [{ email, password, role: 'member' as const }]
      const added = await declare(server, { accounts: [{ name: 'Acme', users }] })
      return { ...(await as(email)), email, id: userOf(added, email).id }
    },
    office: async (app, account) => {
      const account_id = accountOf({ ...applied, accounts }, account).id
      const request = { grant_type: 'account_credentials', account_id }
      return call(tokensOf(await server.token(credentialsOf(applied, app), request)).access_token)
    },
  }
}

/** The path of a meeting. */
export const meetingPath = (id: unknown): string => `/v2/meetings/${id}`
