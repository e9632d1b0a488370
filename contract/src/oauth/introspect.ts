import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { boolean, string } from '../schemas.ts'
import { oauthErrorResponses } from './errors.ts'
import { TokenParameters } from './parameters.ts'

const c = initContract()

const text = (description: string, example: string) => string(description, example).optional()

const seconds = (description: string) =>
  z.int().optional().meta({ description, example: 1795253460, format: 'int64' })

/** What a token is (RFC 7662 §2.2). */
export const Introspection = z
  .object({
    active: boolean("Whether it is alive and the asking app's own."),
    scope: text('Scopes, space-separated.', 'user:read:user'),
    client_id: text('Client that it was issued to.', demo.apps.scheduler.clientId),
    token_type: text('`bearer` for an access token, `refresh_token` for the other.', 'bearer'),
    exp: seconds('When it ends, Unix time.'),
    iat: seconds('When it was issued, Unix time.'),
    sub: text('Id of the user; absent where no user is involved.', demo.users.owner.id),
    account_id: text('Account whose data it opens.', demo.account.id),
    aud: text('Base address of the resource API.', 'https://api.example.com'),
    iss: text('Address of the authorization service.', 'https://auth.example.com'),
  })
  .meta({ id: 'Introspection', description: 'What a token is.' })

/** Introspection (RFC 7662): an app asks about its own tokens. */
export const introspectContract = c.mutation({
  method: 'POST',
  path: '/oauth/introspect',
  contentType: 'application/x-www-form-urlencoded',
  summary: 'Ask what a token is',
  description: "For the app's own tokens. Any other is answered with `active: false` alone.",
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
