import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { platformErrorResponses } from '../platform/errors.ts'
import { pageFields, pageQuery, totalRecords } from '../platform/page.ts'
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

const c = initContract()

/** Path of what is about one app. */
export const AppPath = z.object({
  appId: z.string().min(1).meta({
    description: 'The id of the app; one that the caller does not manage is not found.',
    example: demo.apps.scheduler.id,
  }),
})

const EnvironmentBody = z
  .strictObject({ environment: Environment })
  .meta({ id: 'AppEnvironment', description: 'One of the two sets of credentials.' })

const RotationQuery = z.object({
  end_previous: z.enum(['true', 'false']).default('false').meta({
    description: 'Ends the former secret now instead of in 24 hours: for one that has leaked.',
    example: 'false',
  }),
})

const about = { auth: 'accessToken', limit: 'resource', tag: 'Apps' } as const
const reading = metadata({ ...about, scopes: endpointScopes.readApp })
const writing = metadata({ ...about, scopes: endpointScopes.writeApp })

/** The apps that a user, or with an admin scope an account, develops (OAuth spec §1, §4, §9). */
export const appsContract = c.router({
  list: {
    method: 'GET',
    path: '/v2/marketplace/apps',
    summary: 'List apps',
    description:
      'By name. With an admin scope all apps of the account; else those that the user has made, or for an account token the head of the account.',
    query: z.object(pageQuery),
    responses: {
      200: z.object({
        ...pageFields,
        total_records: totalRecords,
        apps: z.array(App).meta({ description: 'The apps of this page.' }),
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
      'Makes both sets of credentials. Secrets are shown in this answer alone. New apps have granular scopes; server-to-server apps, which act for the account, take an admin scope and are given no scope by a token that the token has not itself: 403. Chatbots are registered in the console, since no token has their scope: 403. A name that speaks for the service, such as "Official Support": 400. A name that the account has already, and more than 500 apps of one user: 409.',
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
      'What is left out stays as it is. A public client requires S256 as well. Tokens keep the scopes that they have, but none is refreshed whose scopes the app no longer has. The scopes of a server-to-server app are changed by a token only where it has all of them, the former ones too: 403. What the operator has disabled stays so, and for its developer what an admin has: 409.',
    pathParams: AppPath,
    body: AppChanges,
    responses: { 200: App, ...platformErrorResponses(400, 404, 409, 413) },
    metadata: metadata({ ...writing, idempotent: true }),
  },
  rotateClientSecret: {
    method: 'POST',
    path: '/v2/marketplace/apps/:appId/rotate_client_secret',
    summary: 'Give an app a new client secret',
    description:
      'The former one is good for 24 hours more, or until the next rotation. By a token, that of a server-to-server app takes all the scopes of the app, and that of a chatbot is rotated in the console: 403.',
    pathParams: AppPath,
    query: RotationQuery,
    body: EnvironmentBody,
    responses: { 200: RotatedClientSecret, ...platformErrorResponses(400, 404, 413) },
    metadata: writing,
  },
  rotateSecretToken: {
    method: 'POST',
    path: '/v2/marketplace/apps/:appId/rotate_secret_token',
    summary: 'Give the webhooks of an app a new secret',
    description:
      'For 24 hours more, or until the next rotation, webhooks bear the signature of the former one too.',
    pathParams: AppPath,
    query: RotationQuery,
    body: c.noBody(),
    responses: { 200: RotatedSecretToken, ...platformErrorResponses(400, 404) },
    metadata: writing,
  },
  previewMigration: {
    method: 'GET',
    path: '/v2/marketplace/apps/:appId/migration',
    summary: 'See what a migration to granular scopes would do',
    description:
      'Each classic scope with those that take its place, and how many grants keep classic scopes until their users authorize again.',
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
      'Development first, then production: 409 the other way round, and where nothing is classic. Tokens keep their classic scopes until their users authorize again.',
    pathParams: AppPath,
    body: EnvironmentBody,
    responses: { 200: App, ...platformErrorResponses(400, 404, 409, 413) },
    metadata: writing,
  },
})
