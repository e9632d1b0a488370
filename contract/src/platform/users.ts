import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { queryNumber } from '../query-number.ts'
import { string } from '../schemas.ts'
import { platformErrorResponses } from './errors.ts'
import { emptyAsAbsent, emptyAsDefault } from './lenient.ts'
import { CreatedUser, NewUser } from './new-user.ts'
import { pageQuery } from './page.ts'
import { ProfileChanges } from './profile.ts'
import { AccountId, User, UserPage, UserPath } from './user.ts'

const c = initContract()

const { zakSeconds } = bounds

const TokenChoice = z.object({
  type: emptyAsDefault(z.enum(['token', 'zak']), 'token').meta({
    description: 'What the token is for.',
    example: 'zak',
  }),
  ttl: emptyAsDefault(queryNumber(z.int().min(1).max(zakSeconds.max)), zakSeconds.default).meta({
    description: 'Life of a `zak`, seconds. A `token` lives two hours, whatever stands here.',
    example: 7200,
  }),
})

/** Clients send the life of a `zak` along with a `token` too, where it means nothing. */
const TokenQuery = z.preprocess(
  (query: z.input<typeof TokenChoice>) => (query.type === 'zak' ? query : { type: query.type }),
  TokenChoice,
)

const about = { auth: 'accessToken', limit: 'resource', tag: 'Users' } as const

/** Users (OAuth spec §4). */
export const usersContract = c.router({
  list: {
    method: 'GET',
    path: '/v2/users',
    summary: 'List the users of an account',
    description:
      'In an order that stays, so that a page holds nobody of another page while users come and go.',
    query: z.object({
      ...pageQuery,
      status: emptyAsDefault(z.enum(['active', 'inactive', 'pending']), 'active').meta({
        description:
          '`pending` lists users whose email nobody has proven; `inactive` lists users whom the operator has disabled.',
        example: 'active',
      }),
      account_id: emptyAsAbsent(AccountId),
    }),
    responses: {
      200: UserPage,
      ...platformErrorResponses(400, 404),
    },
    metadata: metadata({ ...about, scopes: endpointScopes.listUsers }),
  },
  create: {
    method: 'POST',
    path: '/v2/users',
    summary: 'Add a user to an account',
    description:
      'The user is active at once where the operator has given the domain of the email to the account, and else pending: listed, and unable to sign in, until the email is proven. The answer does not tell whether another account has a user with the email; that user stays untouched. An email that this account has is 1005.',
    body: NewUser,
    responses: { 201: CreatedUser, ...platformErrorResponses(400, 404, 409, 413) },
    metadata: metadata({ ...about, scopes: endpointScopes.createUser }),
  },
  get: {
    method: 'GET',
    path: '/v2/users/:userId',
    summary: 'Read a user',
    description:
      '`me` is the user of the token; for an account token the owner of the account, or else its eldest admin or user.',
    pathParams: UserPath,
    responses: { 200: User, ...platformErrorResponses(404) },
    metadata: metadata({ ...about, scopes: endpointScopes.readUser }),
  },
  update: {
    method: 'PATCH',
    path: '/v2/users/:userId',
    summary: 'Change the profile of a user',
    description:
      'What is left out stays as it is. Email, role, type, status and number of the personal meeting cannot be set here.',
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
      'The tokens of the user end at once, public apps get `app_deauthorized`, and nobody finds the meetings of the user any more. The owner of an account cannot be removed, and `me` is refused.',
    pathParams: UserPath,
    query: z.object({
      action: emptyAsDefault(z.enum(['disassociate', 'delete']), 'disassociate').meta({
        description: 'Both remove the user.',
        example: 'disassociate',
      }),
    }),
    responses: { 204: c.noBody(), ...platformErrorResponses(400, 404) },
    metadata: metadata({ ...about, scopes: endpointScopes.removeUser }),
  },
  createToken: {
    method: 'GET',
    path: '/v2/users/:userId/token',
    summary: 'Make a token for meetings of a user',
    description:
      'A `zak` starts meetings of the user, a `token` joins meetings as the user. Treat both as a password. Both end with the access of the app that asked.',
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
