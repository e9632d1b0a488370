import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { string } from '../schemas.ts'
import { resourceParameter } from './parameters.ts'

const page = c.otherResponse({ contentType: 'text/html', body: z.string() })

/**
 * Parameters of an authorization request (spec/oauth.md#authorize; RFC 6749 §4.1.1, RFC 7636 §4.3).
 * All are optional in the schema, because the handler reports a missing parameter on a page or at
 * the redirect address. `requires` below lists the required ones.
 */
const AuthorizationRequest = z.object({
  response_type: string('`code`.', 'code').optional(),
  client_id: string('Client id of the app.', demo.apps.scheduler.clientId).optional(),
  redirect_uri: string(
    'A registered redirect address of the app, unchanged.',
    demo.redirectUri,
  ).optional(),
  state: string(
    'Returned unchanged. Protects the app against forged responses (CSRF).',
    'af0ifjsldkj',
  ).optional(),
  code_challenge: string(
    'PKCE challenge.',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ).optional(),
  code_challenge_method: string('`S256` or `plain` (default).', 'S256').optional(),
  scope: string(
    "Required scopes; by default the app's registered scopes.",
    'user:read:user',
  ).optional(),
  optional_scope: string('Scopes that the user can leave out.', 'meeting:write:meeting').optional(),
  include_granted_scopes: string(
    'Adds the scopes that this user granted before, unless the value is `false` or `0`. An empty value counts as true.',
    'true',
  ).optional(),
  resource: resourceParameter,
})

/** The authorization endpoint (spec/oauth.md#authorize; RFC 6749 §3.1). */
export const authorizeContract = c.query({
  method: 'GET',
  path: '/oauth/authorize',
  summary: 'Ask a user for consent',
  description:
    'Open this address in a browser. The user signs in and decides on the consent page, then returns to `redirect_uri` with `code` and `state`, or with `error`. An unknown client or `redirect_uri` shows an error page and never redirects.',
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
