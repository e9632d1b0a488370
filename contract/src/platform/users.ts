import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/scopes.ts'
import { platformErrorResponses } from './errors.ts'

const c = initContract()

const UserId = z.string().min(1).meta({
  description: '`me` for the user of the token, or an id; another than the own needs admin scopes.',
  example: 'me',
})

/** A user of an account. */
export const User = z
  .object({
    id: z
      .string()
      .meta({ description: 'The id.', example: 'b1a6c1d2-7c1e-4b0a-9f6a-8a1c2d3e4f50' }),
    account_id: z
      .string()
      .meta({ description: 'Its account.', example: 'b1a6c1d2-7c1e-4b0a-9f6a-8a1c2d3e4f51' }),
    email: z.string().meta({ description: 'Signs in with it.', example: 'olga@acme.test' }),
    first_name: z.string().meta({ description: 'Given name.', example: 'Olga' }),
    last_name: z.string().meta({ description: 'Family name.', example: 'Owner' }),
    display_name: z.string().meta({ description: 'As others see it.', example: 'Olga Owner' }),
    role_name: z
      .enum(['Owner', 'Admin', 'Member'])
      .meta({ description: 'What the user may do in the account.', example: 'Owner' }),
    status: z.literal('active').meta({ description: 'Removed users are not found.' }),
    created_at: z.iso
      .datetime()
      .meta({ description: 'ISO 8601, UTC.', example: '2026-11-21T09:30:00.000Z' }),
    last_login_time: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the user last signed in.', example: '2026-11-21T09:30:00.000Z' }),
  })
  .meta({ id: 'User', description: 'A user of an account.' })

/** Users (OAuth spec §4). */
export const usersContract = c.router({
  get: {
    method: 'GET',
    path: '/v2/users/:userId',
    summary: 'Read a user',
    description:
      '`me` is the user of the token; for an account token the owner of the account, or else its eldest admin or user.',
    pathParams: z.object({ userId: UserId }),
    responses: { 200: User, ...platformErrorResponses(404) },
    metadata: metadata({
      auth: 'accessToken',
      scopes: endpointScopes.readUser,
      limit: 'resource',
      tag: 'Users',
    }),
  },
})
