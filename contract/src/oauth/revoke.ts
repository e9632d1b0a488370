import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { metadata } from '../metadata.ts'
import { oauthErrorResponses } from './errors.ts'
import { TokenParameters } from './parameters.ts'

const c = initContract()

/** Revocation (OAuth spec §4; RFC 7009). */
export const revokeContract = c.mutation({
  method: 'POST',
  path: '/oauth/revoke',
  contentType: 'application/x-www-form-urlencoded',
  summary: 'Revoke a token',
  description:
    'Ends the grant that the token belongs to, with all its tokens; an account or client token ends alone. A token that is dead or unknown is answered like a living one.',
  body: TokenParameters,
  responses: {
    200: z
      .object({ status: z.literal('success').meta({ description: 'It is done.' }) })
      .meta({ id: 'RevokeResponse', description: 'The token is dead.' }),
    ...oauthErrorResponses,
  },
  metadata: metadata({
    auth: 'client',
    form: true,
    limit: 'none',
    tag: 'Tokens',
    idempotent: true,
  }),
})
