import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { formMetadata } from '../metadata.ts'
import { oauthErrorResponses } from './errors.ts'
import { clientParameters, parameter } from './token.ts'

const c = initContract()

/** Parameters that name a token, in the query or the form body. */
export const TokenParameters = z
  .object({
    token: parameter('An access or a refresh token.', 'sat_EXAMPLE'),
    token_type_hint: parameter('Which of the two it is; not needed.', 'access_token').optional(),
    ...clientParameters,
  })
  .meta({ id: 'TokenParameters', description: 'Parameters, in the query or the form body.' })

/** Revocation (OAuth spec §4; RFC 7009). */
export const revokeContract = c.router({
  revoke: {
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
    metadata: formMetadata({ auth: 'client', limit: 'none', tag: 'Tokens', idempotent: true }),
  },
})
