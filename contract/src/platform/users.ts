import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { queryNumber } from '../query-number.ts'
import { c } from '../router.ts'
import { doc, string } from '../schemas.ts'
import { platformErrorResponses } from './errors.ts'
import { emptyAsAbsent, emptyAsDefault, nullAsAbsent } from './lenient.ts'
import { CreatedUser, NewUser } from './new-user.ts'
import { pageQuery } from './page.ts'
import { ProfileChanges } from './profile.ts'
import { AccountId, User, UserPage, UserPath } from './user.ts'
import { UserSettings } from './user-settings.ts'

const { zakSeconds } = bounds

const TokenChoice = z.object({
  type: emptyAsDefault(z.enum(['token', 'zak']), 'token').meta(
    doc('`zak` starts meetings of the user, `token` joins meetings as the user.', 'zak'),
  ),
  ttl: emptyAsDefault(queryNumber(z.int().min(1).max(zakSeconds.max)), zakSeconds.default).meta(
    doc('Lifetime of a `zak` in seconds. A `token` always lives two hours.', 7200),
  ),
})

// Clients also send ttl with type=token, for which it has no meaning.
const TokenQuery = z.preprocess(
  (query: z.input<typeof TokenChoice>) => (query.type === 'zak' ? query : { type: query.type }),
  TokenChoice,
)

const about = { auth: 'accessToken', limit: 'resource', tag: 'Users' } as const

/** Users (spec/decisions.md#resource-api-endpoints). */
export const usersContract = c.router({
  list: {
    method: 'GET',
    path: '/v2/users',
    summary: 'List the users of an account',
    description: 'The order is stable, so pages never overlap while users are added and removed.',
    query: z.object({
      ...pageQuery,
      status: emptyAsDefault(z.enum(['active', 'inactive', 'pending']), 'active').meta({
        description:
          '`pending` lists users whose email is not verified; `inactive` lists users whom the operator disabled.',
        example: 'active',
      }),
      account_id: emptyAsAbsent(AccountId),
    }),
    responses: {
      200: UserPage,
      ...platformErrorResponses(400, 404),
    },
    metadata: metadata({ ...about, category: 'medium', scopes: endpointScopes.listUsers }),
  },
  create: {
    method: 'POST',
    path: '/v2/users',
    summary: 'Add a user to an account',
    description:
      'If the operator assigned the domain of the email to the account, the user is active immediately. Otherwise the user is pending and cannot sign in until the email is verified. If this account already has a user with this email, returns 409 with code 1005. The response does not reveal whether another account has one, and that user stays unchanged.',
    body: NewUser,
    responses: { 201: CreatedUser, ...platformErrorResponses(400, 404, 409, 413) },
    metadata: metadata({ ...about, scopes: endpointScopes.createUser }),
  },
  get: {
    method: 'GET',
    path: '/v2/users/:userId',
    summary: 'Read a user',
    description:
      '`me` is the user of the token. For an account token, it is the owner of the account or, without an owner, its oldest admin or user.',
    pathParams: UserPath,
    responses: { 200: User, ...platformErrorResponses(404) },
    metadata: metadata({ ...about, scopes: endpointScopes.readUser }),
  },
  update: {
    method: 'PATCH',
    path: '/v2/users/:userId',
    summary: 'Change the profile of a user',
    description:
      'Absent fields keep their values. Email, role, type, status and the number of the personal meeting cannot be set here.',
    pathParams: UserPath,
    body: ProfileChanges,
    responses: { 204: c.noBody(), ...platformErrorResponses(400, 404, 413) },
    metadata: metadata({ ...about, scopes: endpointScopes.updateUser, idempotent: true }),
  },
  remove: {
    method: 'DELETE',
    path: '/v2/users/:userId',
    summary: 'Remove a user from the account',
    description:
      'Ends the tokens of the user immediately, sends `app_deauthorized` to public apps and makes the meetings of the user unavailable. The owner of an account cannot be removed, and `me` is rejected.',
    pathParams: UserPath,
    query: z.object({
      action: emptyAsDefault(z.enum(['disassociate', 'delete']), 'disassociate').meta(
        doc('Both values remove the user.', 'disassociate'),
      ),
    }),
    responses: { 204: c.noBody(), ...platformErrorResponses(400, 404) },
    metadata: metadata({ ...about, scopes: endpointScopes.removeUser }),
  },
  getSettings: {
    method: 'GET',
    path: '/v2/users/:userId/settings',
    summary: 'Read the settings of a user',
    description:
      'Settings that new meetings of the user have unless the request sets others. They are the same for every user and cannot be changed.',
    pathParams: UserPath,
    query: z.object({
      custom_query_fields: nullAsAbsent(z.string()).meta({
        description: 'Names of the settings to return, separated by commas. All settings if empty.',
        example: 'waiting_room,auto_recording',
      }),
    }),
    responses: { 200: UserSettings, ...platformErrorResponses(400, 404) },
    metadata: metadata({ ...about, scopes: endpointScopes.readUserSettings }),
  },
  createToken: {
    method: 'GET',
    path: '/v2/users/:userId/token',
    summary: 'Create a meeting token for a user',
    description:
      'A `zak` starts meetings of the user, a `token` joins meetings as the user. Protect both like passwords. Both stop working when the app loses its access.',
    pathParams: UserPath,
    query: TokenQuery,
    responses: {
      200: z.object({
        token: string(
          'The token.',
          'smt_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTU',
        ),
      }),
      ...platformErrorResponses(400, 404),
    },
    metadata: metadata({ ...about, scopes: endpointScopes.readUserToken }),
  },
})
