import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds } from '../limits.ts'
import { EventName, eventNames } from '../platform/events.ts'
import { boolean, doc, Instant, int, string, strings } from '../schemas.ts'
import { label, text } from '../text.ts'

/** One of the two sets of credentials of an app (spec/decisions.md#development-and-production). */
export const Environment = z.enum(['development', 'production']).meta({
  description: 'Set of credentials. `development` works only for users of the app’s own account.',
  example: 'development',
})

const Name = label(bounds.appName).meta(
  doc('Name that users see; unique in the account.', 'Scheduler'),
)
const Type = z
  .enum(['general', 'server-to-server', 'chatbot'])
  .meta(doc('`general` apps act for users; the other types act for themselves.', 'general'))
const Level = z.enum(['user', 'account']).meta({
  description:
    '`user`: any user authorizes the app for their own data. `account`: an admin authorizes it for the account.',
  example: 'user',
})
const Visibility = z.enum(['public', 'private', 'development']).meta({
  description:
    '`public` apps are for users of all accounts, other apps only for users of their own account.',
  example: 'private',
})

const flags = {
  device_flow: boolean('Whether the app can use the device grant.', false),
  public_client: boolean(
    'Whether the app cannot keep a secret. It must then use PKCE with S256.',
    false,
  ),
  require_s256: boolean('Whether every authorization request needs an S256 challenge.', false),
}
const disabled = boolean('Whether the app is disabled. Its tokens are then rejected.', false)

const deauthorizationUrl = {
  description: 'Address that receives the webhooks of the app.',
  example: 'https://app.example.com/events',
}

const events = {
  description: 'Events that the app receives besides `app_deauthorized`.',
  example: ['meeting.started'],
}

const lists = {
  scopes: { description: 'Scopes that users must allow.', example: ['user:read:user'] },
  optional_scopes: {
    description: 'Granular scopes that users can leave out.',
    example: ['meeting:write:meeting'],
  },
  redirect_uris: {
    description:
      'Redirect addresses, compared exactly: https, http on a loopback address, or the private-use scheme of an installed app (`com.example.app:/callback`, RFC 8252 §7.1). The operator can register others.',
    example: [demo.redirectUri],
  },
}

const client = {
  client_id: string('Client id.', demo.apps.scheduler.clientId),
  scopes: z.array(z.string()).meta(lists.scopes),
  optional_scopes: z.array(z.string()).meta(lists.optional_scopes),
  redirect_uris: z.array(z.string()).meta(lists.redirect_uris),
}

const AppClient = z
  .object(client)
  .meta({ id: 'AppClient', description: 'One of the two sets of credentials of an app.' })

const app = {
  id: string('Id of the app.', demo.apps.scheduler.id),
  name: z.string().meta(Name.meta() ?? {}),
  type: Type,
  level: Level,
  visibility: Visibility,
  ...flags,
  disabled,
  created_at: Instant.meta(doc('Time of creation: ISO 8601, UTC.', '2026-11-21T09:30:00.000Z')),
  created_by: z.string().nullable().meta({
    description: 'Id of the user who created the app. Null if the operator declared it.',
    example: demo.users.owner.id,
  }),
  deauthorization_url: z.string().nullable().meta(deauthorizationUrl),
  deauthorization_url_validated: boolean('Whether this address passed its validation.', true),
  events: z.array(EventName).meta(events),
}

export const App = z
  .object({
    ...app,
    development: AppClient.describe('Credentials for users of the app’s own account.'),
    production: AppClient.describe('Credentials for all users of the app.'),
  })
  .meta({ id: 'App', description: 'An app, without its secrets.' })

const secretToken = string(
  'Secret that signs the webhooks of the app. Shown only in this response.',
  'swt_EXAMPLE',
)
const clientSecret = string('Client secret. Shown only in this response.', 'scs_EXAMPLE')
const previousExpiresAt = Instant.meta({
  description: 'Expiry of the previous secret: ISO 8601, UTC. Older secrets no longer work.',
  example: '2026-11-22T09:30:00.000Z',
})

const NewAppClient = z
  .object({ ...client, client_secret: clientSecret })
  .meta({ id: 'NewAppClient', description: 'New credentials, including the secret.' })

export const RegisteredApp = z
  .object({
    ...app,
    secret_token: secretToken,
    development: NewAppClient.describe('Credentials for users of the app’s own account.'),
    production: NewAppClient.describe('Credentials for all users of the app.'),
  })
  .meta({
    id: 'RegisteredApp',
    description: 'A new app, including its secrets. They are shown only in this response.',
  })

export const RotatedClientSecret = z
  .object({
    client_id: client.client_id,
    client_secret: clientSecret,
    previous_expires_at: previousExpiresAt,
  })
  .meta({ id: 'RotatedClientSecret', description: 'A new client secret.' })

export const RotatedSecretToken = z
  .object({ secret_token: secretToken, previous_expires_at: previousExpiresAt })
  .meta({ id: 'RotatedSecretToken', description: 'A new secret token for webhooks.' })

const scopeList = z
  .array(text(bounds.scope))
  .max(bounds.appScopes, `must have at most ${bounds.appScopes} scopes`)

const ClientChanges = z
  .strictObject({
    scopes: scopeList.optional().meta(lists.scopes),
    optional_scopes: scopeList.optional().meta(lists.optional_scopes),
    redirect_uris: z
      .array(text(bounds.webAddress))
      .max(bounds.redirectUris, `must have at most ${bounds.redirectUris} addresses`)
      .optional()
      .meta(lists.redirect_uris),
  })
  .meta({
    id: 'AppClientChanges',
    description: 'Changes to one set of credentials. Absent fields keep their values.',
  })

const settings = {
  level: Level.optional(),
  visibility: Visibility.optional(),
  device_flow: flags.device_flow.optional(),
  public_client: flags.public_client.optional(),
  require_s256: flags.require_s256.optional(),
  deauthorization_url: text(bounds.webAddress).nullable().optional().meta(deauthorizationUrl),
  events: EventName.array().max(eventNames.length).optional().meta(events),
  development: ClientChanges.optional(),
  production: ClientChanges.optional(),
}

export const AppRegistration = z.strictObject({ name: Name, type: Type, ...settings }).meta({
  id: 'AppRegistration',
  description:
    'An app to register. By default, it is a private user-level app without the device flow.',
})

// Absent fields keep their values, so no field has a default.
export const AppChanges = z
  .strictObject({
    name: Name.optional(),
    ...settings,
    disabled: disabled.optional(),
  })
  .meta({ id: 'AppChanges', description: 'Changes to an app. The type cannot be changed.' })

const migratedScopes = ['meeting:write:meeting', 'meeting:read:meeting', 'meeting:delete:meeting']

/** Effect of a migration to granular scopes (spec/oauth.md#migration-to-granular-scopes). */
export const MigrationPreview = z
  .object({
    changes: z
      .array(
        z.object({
          from: string('A classic scope.', 'meeting:write'),
          to: strings('Granular scopes that replace it, at the same level.', migratedScopes),
        }),
      )
      .describe('Every registered classic scope and its replacement.'),
    scopes: strings('Registered scopes after the migration.', migratedScopes),
    optional_scopes: strings('Optional scopes after the migration.', ['user:read:user']),
    grants_keeping_classic: int(
      'Number of grants that keep classic scopes until their users authorize again.',
      12,
    ),
    obstacle: z.enum(['nothing-to-migrate', 'development-first']).nullable().meta({
      description: 'Reason why the app cannot be migrated now. Null if it can.',
      example: 'development-first',
    }),
  })
  .meta({ id: 'MigrationPreview', description: 'Effect of a migration to granular scopes.' })
