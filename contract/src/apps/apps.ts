import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { platformErrorResponses } from '../platform/errors.ts'
import { pageFields, pageQuery, totalRecords } from '../platform/page.ts'
import { c } from '../router.ts'
import {
  App,
  AppChanges,
  AppRegistration,
  Environment,
  MigrationPreview,
  RegisteredApp,
  RotatedClientSecret,
  RotatedSecretToken,
} from './app.ts'

export const AppPath = z.object({
  appId: z.string().min(1).meta({
    description: 'Id of the app. An app that the caller does not manage returns 404.',
    example: demo.apps.scheduler.id,
  }),
})

const EnvironmentBody = z
  .strictObject({ environment: Environment })
  .meta({ id: 'AppEnvironment', description: 'One of the two sets of credentials.' })

const RotationQuery = z.object({
  end_previous: z.enum(['true', 'false']).default('false').meta({
    description:
      'Whether to end the previous secret now instead of in 24 hours, for example after a leak.',
    example: 'false',
  }),
})

const about = { auth: 'accessToken', limit: 'resource', tag: 'Apps' } as const
const reading = metadata({ ...about, scopes: endpointScopes.readApp })
const writing = metadata({ ...about, scopes: endpointScopes.writeApp })

/** Apps that a user develops or, with an admin scope, an account (spec/oauth.md#grants). */
export const appsContract = c.router({
  list: {
    method: 'GET',
    path: '/v2/marketplace/apps',
    summary: 'List apps',
    description:
      'Sorted by name. With an admin scope, all apps of the account. Otherwise the apps that the user created or, for an account token, the apps of the user that `me` names.',
    query: z.object(pageQuery),
    responses: {
      200: z.object({
        ...pageFields,
        total_records: totalRecords,
        apps: z.array(App).describe('The apps of this page.'),
      }),
      ...platformErrorResponses(400),
    },
    metadata: reading,
  },
  register: {
    method: 'POST',
    path: '/v2/marketplace/apps',
    summary: 'Register an app',
    description:
      'Creates both sets of credentials. Secrets are shown only in this response. New apps have granular scopes. A server-to-server app acts for the account: registering one returns 403 unless the token has an admin scope and every scope of the app. Registering a chatbot returns 403, because no token has its scope. Use the console instead. A name that imitates the service, such as "Official Support", returns 400. Returns 409 if the account has an app of this name, or if the user has 500 apps.',
    body: AppRegistration,
    responses: { 201: RegisteredApp, ...platformErrorResponses(400, 409, 413) },
    metadata: writing,
  },
  get: {
    method: 'GET',
    path: '/v2/marketplace/apps/:appId',
    summary: 'Read an app',
    description: 'Its settings and both sets of credentials, without the secrets.',
    pathParams: AppPath,
    responses: { 200: App, ...platformErrorResponses(404) },
    metadata: reading,
  },
  update: {
    method: 'PATCH',
    path: '/v2/marketplace/apps/:appId',
    summary: 'Change an app',
    description:
      'Absent fields keep their values. Making the app a public client also sets `require_s256`, unless the request sets it. Tokens keep their scopes, but a refresh fails if the app no longer has them. Changing the scopes of a server-to-server app returns 403 unless the token has all of its previous and new scopes. Enabling an app returns 409 if the operator disabled it, or if you are not an admin and an admin disabled it.',
    pathParams: AppPath,
    body: AppChanges,
    responses: { 200: App, ...platformErrorResponses(400, 404, 409, 413) },
    metadata: metadata({ ...writing, idempotent: true }),
  },
  rotateClientSecret: {
    method: 'POST',
    path: '/v2/marketplace/apps/:appId/rotate_client_secret',
    summary: 'Rotate the client secret of an app',
    description:
      'The previous secret works for 24 hours or until the next rotation. Rotating the secret of a server-to-server app returns 403 unless the token has all scopes of the app. For a chatbot, this request returns 403. Rotate its secret in the console.',
    pathParams: AppPath,
    query: RotationQuery,
    body: EnvironmentBody,
    responses: { 200: RotatedClientSecret, ...platformErrorResponses(400, 404, 413) },
    metadata: writing,
  },
  rotateSecretToken: {
    method: 'POST',
    path: '/v2/marketplace/apps/:appId/rotate_secret_token',
    summary: 'Rotate the secret token of an app',
    description:
      'For 24 hours or until the next rotation, webhooks also carry a signature with the previous secret token.',
    pathParams: AppPath,
    query: RotationQuery,
    body: c.noBody(),
    responses: { 200: RotatedSecretToken, ...platformErrorResponses(400, 404) },
    metadata: writing,
  },
  previewMigration: {
    method: 'GET',
    path: '/v2/marketplace/apps/:appId/migration',
    summary: 'Preview the migration to granular scopes',
    description:
      'Returns each classic scope with its replacement, and the number of grants that keep classic scopes until their users authorize again.',
    pathParams: AppPath,
    query: z.object({ environment: Environment }),
    responses: { 200: MigrationPreview, ...platformErrorResponses(400, 404) },
    metadata: reading,
  },
  migrate: {
    method: 'POST',
    path: '/v2/marketplace/apps/:appId/migration',
    summary: 'Migrate an app to granular scopes',
    description:
      'Migrate development first, then production. Any other order returns 409, as does an app without classic scopes. Tokens keep their classic scopes until their users authorize again.',
    pathParams: AppPath,
    body: EnvironmentBody,
    responses: { 200: App, ...platformErrorResponses(400, 404, 409, 413) },
    metadata: writing,
  },
})
