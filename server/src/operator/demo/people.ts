import { demo, isClassicScope, NewMeeting, scopeCatalogue } from '@skillpass/contract'
import { demoEventsPath } from '../../app/demo-receiver.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import type { Db } from '../../db/open.ts'
import { planMeeting } from '../../meetings/meeting-changes.ts'
import { endMeeting, startMeeting } from '../../meetings/meeting-state.ts'
import { recordMeeting } from '../../meetings/recordings.ts'
import { createOAuthApp } from '../../oauth/apps/save.ts'
import { changeSettings, newSettings, type SettingChanges } from '../../oauth/apps/settings.ts'
import { makeUser } from '../../people/users.ts'
import { countAccounts, insertAccount } from '../../store/platform/accounts.ts'
import { insertContentAccess } from '../../store/platform/content-access.ts'
import { insertMeeting } from '../../store/platform/meetings.ts'
import type { UserRecord } from '../../store/platform/users.ts'
import { writeRemovals } from '../../webhooks/outbox.ts'
import { withFixedIds } from '../apply/fixed.ts'

const people = [
  { user: 'owner', role: 'owner', firstName: 'Olga', lastName: 'Owner' },
  { user: 'admin', role: 'admin', firstName: 'Adam', lastName: 'Admin' },
  { user: 'member', role: 'member', firstName: 'Uma', lastName: 'User' },
] as const

/**
 * Creates an account with users, meetings and apps, unless there already are accounts. The users
 * have no password yet.
 */
export async function createDemoPeople(ctx: RegistryContext): Promise<void> {
  if ((await countAccounts(ctx.db.read)) > 0) return
  await ctx.db.write(async (trx) => {
    const { id: accountId, name } = demo.account
    const settings = { name, masterAccountId: null, requireAppApproval: false }
    await insertAccount(trx, { ...settings, id: accountId, createdAt: ctx.clock.now() })
    for (const { user, ...rest } of people) {
      const { id, email } = demo.users[user]
      const created = await makeUser(withFixedIds(ctx, id), trx, {
        ...rest,
        accountId,
        email,
        passwordHash: '',
      })
      if (user !== 'owner') continue
      await createMeeting(ctx, trx, created, demo.meeting)
      await createMeeting(ctx, trx, created, demo.pastMeeting)
    }
    await createDemoApps(ctx, trx)
    await createEvents(ctx, trx)
  })
  await startMeeting(ctx, demo.pastMeeting)
  await endMeeting(ctx, demo.pastMeeting)
  await recordMeeting(withFixedIds(ctx, demo.recording), demo.pastMeeting)
}

async function createMeeting(ctx: RegistryContext, trx: Db, host: UserRecord, id: number) {
  const input = NewMeeting.parse({ topic: 'Planning', start_time: '2030-01-01T10:00:00Z' })
  const { meeting } = planMeeting(ctx, host, input)
  await insertMeeting(trx, { ...meeting, id })
}

/** Creates an app's access to the content of the meeting, and a webhook about a removed user. */
async function createEvents(ctx: RegistryContext, trx: Db): Promise<void> {
  const now = ctx.clock.now()
  const { reporter, scheduler } = demo.apps
  const accountId = demo.account.id
  await insertContentAccess(
    trx,
    { id: demo.contentAccess, meetingId: demo.meeting, contentType: 'transcript', createdAt: now },
    { appId: reporter.id, grantId: null, accountId },
  )
  const { id: appId, clientId } = scheduler
  const removal = { appId, userId: ctx.random.uuid(), accountId, clientId }
  await writeRemovals(withFixedIds(ctx, demo.delivery), trx, [removal], now)
}

interface DemoApp extends SettingChanges {
  readonly app: keyof typeof demo.apps
  readonly type: 'general' | 'server-to-server' | 'chatbot'
  readonly scopes?: string[]
  readonly optionalScopes?: string[]
  readonly redirectUris?: string[]
}

const scopesOf = (level: 'user' | 'admin') =>
  scopeCatalogue
    .filter(({ level: scopeLevel, scope }) => scopeLevel === level && !isClassicScope(scope))
    .map(({ scope }) => scope)

/** An app of each type, one for the API documentation, and one with classic scopes. */
const apps = ({ authUrl, baseUrl }: RegistryContext['config']): DemoApp[] => [
  {
    app: 'scheduler',
    type: 'general',
    visibility: 'public',
    deviceFlow: true,
    scopes: ['user:read:user', 'meeting:read:list_meetings'],
    optionalScopes: ['meeting:write:meeting'],
    redirectUris: [demo.redirectUri],
    deauthorizationUrl: `${authUrl}${demoEventsPath}`,
  },
  { app: 'reporter', type: 'server-to-server', scopes: scopesOf('admin') },
  { app: 'helperBot', type: 'chatbot' },
  {
    app: 'docs',
    type: 'general',
    visibility: 'public',
    publicClient: true,
    requireS256: true,
    scopes: scopesOf('user'),
    redirectUris: [`${baseUrl}/docs/oauth2-redirect.html`],
  },
  {
    app: 'notetaker',
    type: 'general',
    scopes: ['user:read', 'meeting:write'],
    redirectUris: [demo.redirectUri],
  },
]

async function createDemoApps(ctx: RegistryContext, trx: Db): Promise<void> {
  for (const { app, type, scopes, optionalScopes, redirectUris, ...rest } of apps(ctx.config)) {
    const { id, name, clientId } = demo.apps[app]
    const client = { scopes, optionalScopes, redirectUris }
    const settings = changeSettings(newSettings(name, type), {
      ...rest,
      development: client,
      production: client,
    })
    const clientIds = { development: `${clientId}-development`, production: clientId }
    await createOAuthApp(withFixedIds(ctx, id), trx, {
      accountId: demo.account.id,
      settings,
      clientIds,
    })
  }
}
