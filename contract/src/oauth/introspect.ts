import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { boolean, string } from '../schemas.ts'
import { oauthErrorResponses } from './errors.ts'
import { TokenParameters } from './parameters.ts'

const text = (description: string, example: string) => string(description, example).optional()

const seconds = (description: string) =>
  z.int().optional().meta({ description, example: 1795253460, format: 'int64' })

/** Introspection response (RFC 7662 §2.2). */
export const Introspection = z
  .object({
    active: boolean('Whether the token is active and belongs to the calling app.'),
    scope: text('Scopes, space-separated.', 'user:read:user'),
    client_id: text('Client to which the token was issued.', demo.apps.scheduler.clientId),
    token_type: text(
      '`bearer` for an access token, `refresh_token` for a refresh token.',
      'bearer',
    ),
    exp: seconds('Expiry, Unix time in seconds.'),
    iat: seconds('Time of issue, Unix time in seconds.'),
    sub: text('Id of the user; absent if the token has no user.', demo.users.owner.id),
    account_id: text('Account to whose data the token gives access.', demo.account.id),
    aud: text(
      'Resource that accepts the token: the base address of the resource API, or the MCP server.',
      'https://api.example.com',
    ),
    iss: text('Address of the authorization service.', 'https://auth.example.com'),
  })
  .meta({ id: 'Introspection', description: 'State of a token.' })

/** Token introspection (spec/decisions.md#metadata-and-introspection; RFC 7662). */
export const introspectContract = c.mutation({
  method: 'POST',
  path: '/oauth/introspect',
  contentType: 'application/x-www-form-urlencoded',
  summary: 'Introspect a token',
  description:
    "Works for the app's own tokens. For any other token, the response is only `active: false`.",
  body: TokenParameters,
  responses: { 200: Introspection, ...oauthErrorResponses },
  metadata: metadata({
    auth: 'client',
    form: true,
    limit: 'none',
    tag: 'Tokens',
    idempotent: true,
  }),
})
