import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { platformErrorResponses } from '../platform/errors.ts'
import { emptyAsAbsent } from '../platform/lenient.ts'
import { pageFields, pageQuery } from '../platform/page.ts'
import { c } from '../router.ts'
import { boolean, doc, Instant, string, strings } from '../schemas.ts'

const State = z
  .enum(['requested', 'approved', 'declined', 'withdrawn'])
  .meta(doc('State of the approval.', 'requested'))

/** Approval of an app by an account (spec/decisions.md#approval). */
export const AppApproval = z
  .object({
    app_id: string('Id of the app.', demo.apps.scheduler.id),
    app_name: string('Name of the app.', 'Scheduler'),
    developer_name: string('Account that owns the app.', 'Acme'),
    scopes: strings('Scopes that users must allow.', ['user:read:user']),
    optional_scopes: strings('Scopes that users can leave out.', ['meeting:write:meeting']),
    approved: z
      .object({
        app_name: string('Approved name.', 'Scheduler'),
        scopes: strings('Approved scopes, including optional ones.', ['user:read:user']),
      })
      .nullable()
      .describe(
        'The approved name and scopes. Null without an approval. The app needs a new approval if its name changes or it requests more scopes.',
      ),
    state: State,
    requested_by: z.string().nullable().meta({
      description: 'Email of the user who requested the approval. Null if no user did.',
      example: demo.users.member.email,
    }),
    requested_at: Instant.nullable().describe('Time of the request: ISO 8601, UTC.'),
    decided_at: Instant.nullable().describe(
      'Time of the decision: ISO 8601, UTC. Null until there is one.',
    ),
  })
  .meta({ id: 'AppApproval', description: 'Approval of an app by an account.' })

export const MarketplaceSettings = z
  .strictObject({
    require_app_approval: boolean(
      'Whether an admin must approve an app before users can authorize it.',
      false,
    ),
  })
  .meta({ id: 'MarketplaceSettings', description: 'App settings of the account.' })

const about = { auth: 'accessToken', limit: 'resource', tag: 'Approvals' } as const
const reading = metadata({ ...about, scopes: endpointScopes.readApproval })
const writing = metadata({ ...about, scopes: endpointScopes.writeApproval })

/** Approvals of apps (spec/oauth.md#account-approval, spec/decisions.md#approval). */
export const approvalsContract = c.router({
  list: {
    method: 'GET',
    path: '/v2/marketplace/approvals',
    summary: 'List the approvals of the account',
    description: 'Requests of users and decisions of admins, sorted by the name of the app.',
    query: z.object({ state: emptyAsAbsent(State), ...pageQuery }),
    responses: {
      200: z.object({
        ...pageFields,
        approvals: z.array(AppApproval).describe('The approvals of this page.'),
      }),
      ...platformErrorResponses(400),
    },
    metadata: reading,
  },
  decide: {
    method: 'PUT',
    path: '/v2/marketplace/approvals/:appId',
    summary: 'Approve or decline an app, or withdraw its approval',
    description:
      'Works with or without a request. An approval covers the current name and scopes of the app. Declining or withdrawing immediately ends the tokens of all users of the account for this app and blocks the app until it is approved; a public app receives `app_deauthorized` for each user. Declining an approved app returns 409. Withdraw its approval instead. If users request a changed version of an approved app, declining keeps the earlier approval.',
    pathParams: z.object({
      appId: z.string().min(1).meta(doc('Id of the app.', demo.apps.scheduler.id)),
    }),
    body: z
      .strictObject({
        state: z.enum(['approved', 'declined', 'withdrawn']).meta(doc('The decision.', 'approved')),
        app_name: string(
          'Name of the app that you reviewed. An approval returns 409 if the app has a different name now.',
          'Scheduler',
        ).optional(),
        scopes: z
          .array(z.string())
          .optional()
          .meta({
            description:
              'Scopes that you reviewed, including optional ones. An approval returns 409 if the app requests more scopes now.',
            example: ['user:read:user', 'meeting:read:list_meetings', 'meeting:write:meeting'],
          }),
      })
      .meta({ id: 'AppDecision', description: 'Decision of an account about an app.' }),
    responses: { 200: AppApproval, ...platformErrorResponses(400, 404, 409, 413) },
    metadata: writing,
  },
  getSettings: {
    method: 'GET',
    path: '/v2/marketplace/settings',
    summary: 'Read the app settings of the account',
    description: 'States whether users can authorize only apps that an admin approved.',
    responses: { 200: MarketplaceSettings, ...platformErrorResponses() },
    metadata: reading,
  },
  updateSettings: {
    method: 'PATCH',
    path: '/v2/marketplace/settings',
    summary: 'Change the app settings of the account',
    description: 'Existing authorizations stay active.',
    body: MarketplaceSettings,
    responses: { 200: MarketplaceSettings, ...platformErrorResponses(400, 413) },
    metadata: metadata({ ...writing, idempotent: true }),
  },
})
