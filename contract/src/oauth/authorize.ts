import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { string } from '../schemas.ts'

const c = initContract()

const page = c.otherResponse({ contentType: 'text/html', body: z.string() })

/**
 * Parameters of an authorization request (OAuth spec §4; RFC 6749 §4.1.1, RFC 7636 §4.3). All are
 * optional here, because what is missing is told on a page or at the redirect address; `requires`
 * below names those that the spec requires.
 */
const AuthorizationRequest = z.object({
  response_type: string('`code`.', 'code').optional(),
  client_id: string('Id of the app.', demo.apps.scheduler.clientId).optional(),
  redirect_uri: string(
    'A registered address of the app, to the letter.',
    demo.redirectUri,
  ).optional(),
  state: string(
    'Comes back as it is; protects the app from forged answers.',
    'af0ifjsldkj',
  ).optional(),
  code_challenge: string(
    'PKCE challenge.',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ).optional(),
  code_challenge_method: string('`S256` or `plain`, the default.', 'S256').optional(),
  scope: string("Scopes that are needed; the app's own without it.", 'user:read:user').optional(),
  optional_scope: string('Scopes that the user may leave out.', 'meeting:write:meeting').optional(),
  include_granted_scopes: string(
    'Present, even empty: what this user granted before comes along. `false` and `0` mean no.',
    'true',
  ).optional(),
})

/** User authorization (OAuth spec §4; RFC 6749 §4.1.1). */
export const authorizeContract = c.query({
  method: 'GET',
  path: '/oauth/authorize',
  summary: 'Ask a user for consent',
  description:
    'Opened in a browser. Leads through signing in to the consent page, and from there to redirect_uri with `code` and `state`, or with `error`. A client or redirect_uri that is not known never redirects.',
  query: AuthorizationRequest,
  responses: {
    200: page,
    302: c.noBody(),
    400: page,
    403: page,
    429: page,
    500: page,
    503: page,
  },
  metadata: metadata({
    auth: 'none',
    requires: ['response_type', 'client_id', 'redirect_uri'],
    limit: 'authorize',
    tag: 'Authorization',
  }),
})
