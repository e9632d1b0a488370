import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds } from '../limits.ts'
import { boolean, Instant, int, string, strings } from '../schemas.ts'
import { label, text } from '../text.ts'

/** Apps as the marketplace shows and takes them (OAuth spec §1, §4, §9). */

/** The set of credentials of an app that is meant. */
export const Environment = z.enum(['development', 'production']).meta({
  description: 'Which set of credentials: `development` works for users of the own account alone.',
  example: 'development',
})

const Name = label(bounds.appName).meta({
  description: 'As users see it; unique in its account.',
  example: 'Scheduler',
})
const Type = z.enum(['general', 'server-to-server', 'chatbot']).meta({
  description: 'What it may do: `general` apps have users, the others act by themselves.',
  example: 'general',
})
const Level = z.enum(['user', 'account']).meta({
  description: 'Whether any user authorizes it for the own data, or an admin for the account.',
  example: 'user',
})
const Visibility = z.enum(['public', 'private', 'development']).meta({
  description: '`public` apps are for users of all accounts, others for the own.',
  example: 'private',
})

const flags = {
  device_flow: boolean('Whether it may use the device grant.', false),
  public_client: boolean(
    'Whether it has no secret to keep; then it must use PKCE with S256.',
    false,
  ),
  require_s256: boolean('Whether every authorization request must bring an S256 challenge.', false),
}
const disabled = boolean('Whether all its tokens are refused.', false)

const deauthorizationUrl = {
  description: 'Where its webhooks go.',
  example: 'https://app.example.com/events',
}

const lists = {
  scopes: { description: 'Scopes that users must allow.', example: ['user:read:user'] },
  optional_scopes: {
    description: 'Granular scopes that users may leave out.',
    example: ['meeting:write:meeting'],
  },
  redirect_uris: {
    description:
      'Where users may be sent back to, compared to the letter: https, http on this machine, or the scheme of an installed app after a domain (`com.example.app:/callback`). The operator can register others.',
    example: [demo.redirectUri],
  },
}

const client = {
  client_id: string('The client id.', demo.apps.scheduler.clientId),
  scopes: z.array(z.string()).meta(lists.scopes),
  optional_scopes: z.array(z.string()).meta(lists.optional_scopes),
  redirect_uris: z.array(z.string()).meta(lists.redirect_uris),
}

const AppClient = z
  .object(client)
  .meta({ id: 'AppClient', description: 'One of the two sets of credentials of an app.' })

const app = {
  id: string('The id.', demo.apps.scheduler.id),
  name: z.string().meta(Name.meta() ?? {}),
  type: Type,
  level: Level,
  visibility: Visibility,
  ...flags,
  disabled,
  created_at: Instant.meta({
    description: 'When it was made: ISO 8601, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  }),
  created_by: z.string().nullable().meta({
    description: 'Id of the user who made it; null where the operator has declared it.',
    example: demo.users.owner.id,
  }),
  deauthorization_url: z.string().nullable().meta(deauthorizationUrl),
  deauthorization_url_validated: boolean(
    'Whether this address has answered the validation request.',
    true,
  ),
}

export const App = z
  .object({
    ...app,
    development: AppClient.meta({ description: 'For users of the own account alone.' }),
    production: AppClient.meta({ description: 'For all users of the app.' }),
  })
  .meta({ id: 'App', description: 'An app, without its secrets.' })

const secretToken = string(
  'What its webhooks are signed with. Shown in this answer alone.',
  'swt_EXAMPLE',
)
const clientSecret = string('The client secret. Shown in this answer alone.', 'scs_EXAMPLE')
const previousExpiresAt = Instant.meta({
  description: 'Until when the former one is good: ISO 8601, UTC. Those before it have ended.',
  example: '2026-11-22T09:30:00.000Z',
})

const NewAppClient = z
  .object({ ...client, client_secret: clientSecret })
  .meta({ id: 'NewAppClient', description: 'Credentials that have just been made.' })

/** An app that has just been registered, with its secrets. */
export const RegisteredApp = z
  .object({
    ...app,
    secret_token: secretToken,
    development: NewAppClient.meta({ description: 'For users of the own account alone.' }),
    production: NewAppClient.meta({ description: 'For all users of the app.' }),
  })
  .meta({ id: 'RegisteredApp', description: 'A new app. Its secrets are shown here alone.' })

/** A client secret in place of the former one. */
export const RotatedClientSecret = z
  .object({
    client_id: client.client_id,
    client_secret: clientSecret,
    previous_expires_at: previousExpiresAt,
  })
  .meta({ id: 'RotatedClientSecret', description: 'A new client secret.' })

/** A secret token in place of the former one. */
export const RotatedSecretToken = z
  .object({ secret_token: secretToken, previous_expires_at: previousExpiresAt })
  .meta({ id: 'RotatedSecretToken', description: 'A new secret for webhooks.' })

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
    description: 'What to register for one set of credentials; what is left out stays as it is.',
  })

const settings = {
  level: Level.optional(),
  visibility: Visibility.optional(),
  device_flow: flags.device_flow.optional(),
  public_client: flags.public_client.optional(),
  require_s256: flags.require_s256.optional(),
  deauthorization_url: text(bounds.webAddress).nullable().optional().meta(deauthorizationUrl),
  development: ClientChanges.optional(),
  production: ClientChanges.optional(),
}

export const AppRegistration = z.strictObject({ name: Name, type: Type, ...settings }).meta({
  id: 'AppRegistration',
  description: 'An app to register. By default it is for users, private and without device flow.',
})

/** Changes to an app. What is left out stays as it is, so nothing has a default here. */
export const AppChanges = z
  .strictObject({
    name: Name.optional(),
    ...settings,
    disabled: disabled.optional(),
  })
  .meta({ id: 'AppChanges', description: 'Changes to an app; its type cannot change.' })

/** What migrating a set of credentials from classic to granular scopes would do. */
export const MigrationPreview = z
  .object({
    changes: z
      .array(
        z.object({
          from: string('A classic scope.', 'meeting:write'),
          to: strings('The granular scopes in its place, of the same level.', [
            'meeting:write:meeting',
            'meeting:read:meeting',
            'meeting:delete:meeting',
          ]),
        }),
      )
      .meta({ description: 'Every classic scope that is registered.' }),
    scopes: strings('What would be registered then.', [
      'meeting:write:meeting',
      'meeting:read:meeting',
      'meeting:delete:meeting',
    ]),
    optional_scopes: strings('What users could leave out then.', ['user:read:user']),
    grants_keeping_classic: int(
      'Authorizations that keep classic scopes until their users authorize again.',
      12,
    ),
    obstacle: z.enum(['nothing-to-migrate', 'development-first']).nullable().meta({
      description: 'Why it cannot be done now; null where it can.',
      example: 'development-first',
    }),
  })
  .meta({ id: 'MigrationPreview', description: 'What a migration of scopes would do.' })
