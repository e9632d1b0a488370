import { createDatedSecret, hashSecret } from '@skillpass/server/internal/secrets/secrets'
import { insertAccessToken } from '@skillpass/server/internal/store/oauth/tokens'
import {
  insertMeeting,
  type MeetingRecord,
} from '@skillpass/server/internal/store/platform/meetings'
import { appOf, userOf } from './apps.ts'
import type { OAuthServer } from './oauth-server.ts'
import { type Call, callWith } from './platform.ts'

let numbers = 85_700_000_000

/** Inserts a meeting of a user into the database. Other tests create meetings over the API. */
export async function meetingOf(
  server: Pick<OAuthServer, 'applied' | 'ctx'>,
  email: string,
  {
    password = 'a1B2c3',
    ...more
  }: Partial<Omit<MeetingRecord, 'password'>> & { password?: string } = {},
): Promise<MeetingRecord> {
  const { id: hostId, accountId } = await hostOf(server, email)
  const uuid = server.ctx.random.uuid()
  const meeting: MeetingRecord = {
    id: ++numbers,
    uuid,
    hostId,
    accountId,
    topic: 'Weekly review',
    type: 2,
    startTime: Date.UTC(2026, 10, 23, 9, 30),
    endTime: Date.UTC(2026, 10, 23, 10, 15),
    duration: 45,
    timezone: 'Europe/Berlin',
    agenda: '',
    password: server.ctx.encryption.seal('passcode', uuid, password),
    recurrence: null,
    settings: {},
    createdAt: server.ctx.clock.now(),
    startedAt: server.ctx.clock.now(),
    endedAt: null,
    ...more,
  }
  await server.ctx.db.write((trx) => insertMeeting(trx, meeting))
  return meeting
}

async function hostOf({ applied }: Pick<OAuthServer, 'applied'>, email: string) {
  const account = applied.accounts.find(({ users }) => users.some((user) => user.email === email))
  if (!account) throw new Error(`User ${email} is not declared.`)
  return { id: userOf(applied, email).id, accountId: account.id }
}

/** Inserts an account token of an app into the database. Meeting tokens are derived from it. */
export async function accountTokenOf(
  { ctx, applied }: Pick<OAuthServer, 'applied' | 'ctx'>,
  app: string,
) {
  const now = ctx.steadyNow()
  const key = hashSecret(createDatedSecret('accessToken', ctx.random, now))
  const { clientId } = appOf(applied, app).production
  const accountId = applied.accounts[0]?.id ?? ''
  const token = {
    key,
    clientId,
    grantId: null,
    accountId,
    userId: null,
    scopes: '',
    resource: null,
  }
  await ctx.db.write((trx) => insertAccessToken(trx, { ...token, expiresAt: now + 3_600_000 }))
  return token
}

/** Returns functions that call the API with a token of an app. */
export function listener(server: Pick<OAuthServer, 'http'>, accessToken: string) {
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
