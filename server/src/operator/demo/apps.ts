import { demo, isClassicScope, scopeCatalogue } from '@skillpass/contract'
import { demoEventsPath } from '../../apps/routes/demo-receiver.ts'
import { createApp } from '../../apps/save.ts'
import { changeSettings, newSettings, type SettingChanges } from '../../apps/settings.ts'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { withFixedIds } from './fixed-ids.ts'

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
const apps = ({ authUrl, baseUrl }: AppContext['config']): DemoApp[] => [
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

export async function createDemoApps(
  ctx: Pick<AppContext, 'clock' | 'config' | 'encryption' | 'random'>,
  trx: Db,
): Promise<void> {
  for (const { app, type, scopes, optionalScopes, redirectUris, ...rest } of apps(ctx.config)) {
    const { id, name, clientId } = demo.apps[app]
    const client = { scopes, optionalScopes, redirectUris }
    const settings = changeSettings(newSettings(name, type), {
      ...rest,
      development: client,
      production: client,
    })
    const clientIds = { development: `${clientId}-development`, production: clientId }
    await createApp(withFixedIds(ctx, id), trx, {
      accountId: demo.account.id,
      settings,
      clientIds,
    })
  }
}
