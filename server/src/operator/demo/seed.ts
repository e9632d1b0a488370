import { demo, isClassicScope, scopeCatalogue } from '@skillpass/contract'
import { demoEventsPath } from '../../app/demo-receiver.ts'
import type { Config } from '../../runtime/config/config.ts'
import type { Seed } from '../double/seed.ts'

const scopesOf = (level: 'user' | 'admin') =>
  scopeCatalogue
    .filter(({ level: scopeLevel, scope }) => scopeLevel === level && !isClassicScope(scope))
    .map(({ scope }) => scope)

const meeting = { host: demo.users.owner.email, topic: 'Planning' }
const start_time = '2030-01-01T10:00:00Z'

const appNamed = (key: keyof typeof demo.apps) => {
  const { clientId, ...app } = demo.apps[key]
  const development = { clientId: `${clientId}-development` }
  return { ...app, account: demo.account.name, development, production: { clientId } }
}

/** An account with users, meetings, and an app of each type, as in the documentation. */
export const demoSeed = ({ authUrl, baseUrl }: Config): Seed => ({
  accounts: [
    {
      ...demo.account,
      users: [
        { ...demo.users.owner, role: 'owner', firstName: 'Olga', lastName: 'Owner' },
        { ...demo.users.admin, role: 'admin', firstName: 'Adam', lastName: 'Admin' },
        { ...demo.users.member, role: 'member', firstName: 'Uma', lastName: 'User' },
      ],
    },
  ],
  meetings: [
    { ...meeting, id: demo.meeting, start_time },
    { ...meeting, id: demo.pastMeeting, start_time },
  ],
  apps: [
    {
      ...appNamed('scheduler'),
      type: 'general',
      visibility: 'public',
      deviceFlow: true,
      scopes: ['user:read:user', 'meeting:read:list_meetings'],
      optionalScopes: ['meeting:write:meeting'],
      redirectUris: [demo.redirectUri],
      deauthorizationUrl: `${authUrl}${demoEventsPath}`,
    },
    { ...appNamed('reporter'), type: 'server-to-server', scopes: scopesOf('admin') },
    { ...appNamed('helperBot'), type: 'chatbot' },
    {
      ...appNamed('docs'),
      type: 'general',
      visibility: 'public',
      publicClient: true,
      requireS256: true,
      scopes: scopesOf('user'),
      redirectUris: [`${baseUrl}/docs/oauth2-redirect.html`],
    },
    {
      ...appNamed('notetaker'),
      type: 'general',
      scopes: ['user:read', 'meeting:write'],
      redirectUris: [demo.redirectUri],
    },
  ],
})
