import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { platformErrorResponses } from '../platform/errors.ts'
import { emptyAsAbsent } from '../platform/lenient.ts'
import { pageFields, pageQuery } from '../platform/page.ts'
import { boolean, Instant, string, strings } from '../schemas.ts'

const c = initContract()

const State = z.enum(['requested', 'approved', 'declined', 'withdrawn']).meta({
  description: 'Where the approval stands.',
  example: 'requested',
})

/** What an account was asked or has decided about an app. */
export const AppApproval = z
  .object({
    app_id: string('The app.', demo.apps.scheduler.id),
    app_name: string('Its name.', 'Scheduler'),
    developer_name: string('The account that made it.', 'Acme'),
    scopes: strings('Scopes that it asks users for, and that they must allow.', ['user:read:user']),
    optional_scopes: strings('Scopes that users may leave out.', ['meeting:write:meeting']),
    approved: z
      .object({
        app_name: string('The name that it had.', 'Scheduler'),
        scopes: strings('All scopes that it asked for, the optional ones included.', [
          'user:read:user',
        ]),
      })
      .nullable()
      .meta({
        description:
          'The app as it was approved; null without an approval. With another name, or to ask users for more, the app needs a new one.',
      }),
    state: State,
    requested_by: z.string().nullable().meta({
      description: 'Email of the user who asked for it; null where nobody did.',
      example: demo.users.member.email,
    }),
    requested_at: Instant.nullable().meta({ description: 'When: ISO 8601, UTC.' }),
    decided_at: Instant.nullable().meta({
      description: 'When it was decided; null while it waits. ISO 8601, UTC.',
    }),
  })
  .meta({ id: 'AppApproval', description: 'What an account decides about an app.' })

export const MarketplaceSettings = z
  .strictObject({
    require_app_approval: boolean(
      'Whether an admin approves an app before users may authorize it.',
      false,
    ),
  })
  .meta({ id: 'MarketplaceSettings', description: 'What the account asks of apps.' })

const about = { auth: 'accessToken', limit: 'resource', tag: 'Approvals' } as const
const reading = metadata({ ...about, scopes: endpointScopes.readApproval })
const writing = metadata({ ...about, scopes: endpointScopes.writeApproval })

/** Which apps an account allows its users (OAuth spec §4; open-points B). */
export const approvalsContract = c.router({
  list: {
    method: 'GET',
    path: '/v2/marketplace/approvals',
    summary: 'List the approvals of the account',
    description: 'What users asked for and admins decided, by the names of the apps.',
    query: z.object({ state: emptyAsAbsent(State), ...pageQuery }),
    responses: {
      200: z.object({
        ...pageFields,
        approvals: z
          .array(AppApproval)
          .meta({ description: 'Those of this page, of all states or the one asked for.' }),
      }),
      ...platformErrorResponses(400),
    },
    metadata: reading,
  },
  decide: {
    method: 'PUT',
    path: '/v2/marketplace/approvals/:appId',
    summary: 'Approve an app, decline it or withdraw the approval',
    description:
      'Asked for or not. An approval is for the name and the scopes that the app has now. Declining or withdrawing ends the tokens of all users of the account for this app at once, and keeps the app shut until it is approved; a public app gets `app_deauthorized` for each of them. What is approved cannot be declined, only withdrawn: 409. If users ask for an approved app because it has changed, declining keeps it as it was approved.',
    pathParams: z.object({
      appId: z.string().min(1).meta({
        description: 'The id of the app.',
        example: demo.apps.scheduler.id,
      }),
    }),
    body: z
      .strictObject({
        state: z.enum(['approved', 'declined', 'withdrawn']).meta({
          description: 'What the account decides.',
          example: 'approved',
        }),
        app_name: string(
          'The name that you saw. If the app to approve has another one by now: 409.',
          'Scheduler',
        ).optional(),
        scopes: z
          .array(z.string())
          .optional()
          .meta({
            description:
              'The scopes that you saw, the optional ones included. If the app to approve asks for more by now: 409.',
            example: ['user:read:user', 'meeting:read:list_meetings', 'meeting:write:meeting'],
          }),
      })
      .meta({ id: 'AppDecision', description: 'What an account decides about an app.' }),
    responses: { 200: AppApproval, ...platformErrorResponses(400, 404, 409, 413) },
    metadata: writing,
  },
  getSettings: {
    method: 'GET',
    path: '/v2/marketplace/settings',
    summary: 'Read what the account asks of apps',
    description: 'Whether users may authorize only what an admin has approved.',
    responses: { 200: MarketplaceSettings, ...platformErrorResponses() },
    metadata: reading,
  },
  updateSettings: {
    method: 'PATCH',
    path: '/v2/marketplace/settings',
    summary: 'Set what the account asks of apps',
    description: 'What users have authorized before lives on.',
    body: MarketplaceSettings,
    responses: { 200: MarketplaceSettings, ...platformErrorResponses(400, 413) },
    metadata: metadata({ ...writing, idempotent: true }),
  },
})
