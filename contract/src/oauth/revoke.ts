import { z } from 'zod'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { oauthErrorResponses } from './errors.ts'
import { TokenParameters } from './parameters.ts'

/** Token revocation (spec/oauth.md#revoke, spec/decisions.md#revocation; RFC 7009). */
export const revokeContract = c.mutation({
  method: 'POST',
  path: '/oauth/revoke',
  contentType: 'application/x-www-form-urlencoded',
  summary: 'Revoke a token',
  description:
    'Ends the grant of the token and all tokens of that grant. An account or client token has no grant, so only the token ends. An unknown or inactive token returns the same response.',
  body: TokenParameters,
  responses: {
    200: z
      .object({ status: z.literal('success').describe('Always `success`.') })
      .meta({ id: 'RevokeResponse', description: 'The token is no longer active.' }),
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
