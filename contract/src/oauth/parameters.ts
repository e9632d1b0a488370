import { z } from 'zod'
import { demo } from '../demo.ts'
import { string } from '../schemas.ts'

/** An app that cannot send Basic sends these in the form body, never in the query. */
export const clientParameters = {
  client_id: string(
    'Id of the app, where no Basic header names it.',
    demo.apps.scheduler.clientId,
  ).optional(),
  client_secret: string(
    'Secret of the app, in the form body alone, where no Basic header brings it.',
    'scs_EXAMPLE',
  ).optional(),
}

/** Scopes to have, fewer than there could be. */
export const scopeParameter = string(
  'Scopes to have, fewer than there could be; space-separated.',
  'user:read:user',
)

/** Describes the body of an OAuth request. The spec has the parameters in the query (OAuth spec §4). */
export const formDescription =
  'The parameters. A request without a body may send all but `client_secret` in the query.'

/** Parameters that name a token (RFC 7009 §2.1, RFC 7662 §2.1). */
export const TokenParameters = z
  .object({
    token: string('An access or a refresh token.', 'sat_EXAMPLE'),
    token_type_hint: string('Which of the two it is; not needed.', 'access_token').optional(),
    ...clientParameters,
  })
  .meta({ id: 'TokenParameters', description: formDescription })
