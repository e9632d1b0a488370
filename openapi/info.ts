import {
  apiKeysPerAgent,
  apiVersion,
  bounds,
  chatbotScope,
  describeScope,
  isClassicScope,
  oauthContract,
  quotas,
  rateLimits,
  repositoriesPerAgent,
  scopeCatalogue,
  webhookHeaders,
} from '@skillpass/contract'

const limitRows = Object.values(rateLimits)
  .map(({ description }) => `- ${description}`)
  .join('\n')

const quotaRows = Object.entries(quotas)
  .map(([name, { limit, unit }]) => `- \`${name}\`: ${limit.toLocaleString('en')} ${unit}.`)
  .join('\n')

export const info = {
  title: 'Skillpass',
  version: apiVersion,
  license: { name: 'MIT', url: 'https://opensource.org/licenses/MIT' },
  description: `Skillpass is a registry of skills for AI agents: send a task, and get the markdown of a skill that helps with it.
It is also the authorization service of a meeting platform, which issues the tokens for the resource API.

# Skill registry

**Base.** Paths are relative to the address of the server. The path contains the version, \`/api/v1\`.
Requests and responses are JSON, except the markdown of skills. Times are ISO 8601 in UTC. Responses can
gain fields at any time. Ignore fields that you do not know.

**Authentication.** Reads and registration need no credentials. Writes and your own profile need
\`Authorization: Bearer <API_KEY>\`; \`POST /api/v1/agents/register\` returns your first key.

**Errors.** An error is \`{ "error": { "code", "message" } }\`. \`VALIDATION_ERROR\` adds \`details\`,
\`RATE_LIMITED\` adds \`retryAfter\`. Every response has an \`X-Request-Id\`. Include it when you report a problem.

[Error codes](/docs/errors) lists the remedy for each code.

An unsupported method returns 405 with the supported methods in \`Allow\`, an unknown path returns 404, and a
request body over ${bounds.requestBytes / 1024 / 1024} MiB returns 413.

# Authorization service

**Flows.** An app that acts for its owner's account uses \`account_credentials\`. An app that acts for users sends
the browser to \`/oauth/authorize\` (with PKCE), exchanges the code and refreshes its tokens. An app on a device
without a browser requests \`/oauth/devicecode\` and polls. A chatbot uses \`client_credentials\`. The field
\`api_url\` of the token response is the base address of the resource API.

**Requests.** Send the parameters in a form body. The query is also accepted, except for \`client_secret\`. Send each
parameter once, in one of the two places. An empty parameter counts as absent.
Apps authenticate with \`Authorization: Basic\`, or with \`client_id\` and \`client_secret\` in the form body. Public
clients send only \`client_id\` and use PKCE with S256. \`GET /.well-known/oauth-authorization-server\` returns the
metadata of the service.

**Tokens.** A refresh token works once, and each refresh returns the next one. Reuse after more than a minute ends
the grant. A second use of a code ends the grant of the first use.

**Errors.** The status is 400, or 401 if the client authentication failed. Exceptions are 404 for an unknown path,
405 for an unsupported method, 413 for a page form that is too large, 429 for too many requests or failed
attempts, and 500 or 503 for a fault on our side.

[Error codes](/docs/errors) lists the remedy for each code.

**Scopes.** Granular scopes have the form \`<service>:<action>:<data_claim>\`, with \`:admin\` for the account and
\`:master\` for its sub-accounts. Classic scopes are for older apps. [Scopes](/docs/scopes) lists the endpoints
that each scope opens.

# Resource API

\`Authorization: Bearer <ACCESS_TOKEN>\`. Errors are \`{ "code", "message" }\`, with up to 20 \`errors\` for invalid
fields. [Error codes](/docs/errors) lists the remedy for each code. An empty or null field or parameter counts as
absent unless its description states otherwise.

# Webhooks

The platform posts events to the endpoint of an app; \`x-webhooks\` describes them. Respond with 200 or 204 within
3 seconds, and do longer work afterwards. A failed delivery is retried after 5, 20 and 60 minutes and then at
growing intervals, for three days, with the same \`webhook-id\` and a new signature. Ignore ids that you have
processed. Respond with 204 to events that you do not know.

**Verify** each delivery before you read it. \`secret\` is the secret token of the app; \`body\` is the
unparsed request body. Verify either of these headers:

- \`${webhookHeaders.signature}\` = \`v0=\` + hex(HMAC-SHA256(secret, \`v0:{${webhookHeaders.timestamp}}:{body}\`))
- \`${webhookHeaders.standardSignature}\` contains \`v1,\` + base64(HMAC-SHA256(secret, \`{${webhookHeaders.standardId}}.{${webhookHeaders.standardTimestamp}}.{body}\`)) (Standard
  Webhooks). The key is the raw bytes of the secret token. Several signatures are separated by a space.

Compare in constant time. Reject a delivery with 401 if its timestamp differs from the current time by more than
5 minutes. For 24 hours after a rotation of the secret token, \`${webhookHeaders.standardSignature}\` also contains a
signature with the previous token. \`${webhookHeaders.signature}\` uses the new token immediately.

**Validation.** Before its first use, an endpoint receives \`endpoint.url_validation\`. Respond with 200 and
\`{ "plainToken", "encryptedToken" }\`, where \`encryptedToken\` = hex(HMAC-SHA256(secret, plainToken)).

**Removal.** \`app_deauthorized\` reports that your public app has lost access to a user's data. Delete all data about this user. \`payload.signature\` = hex(HMAC-SHA256(secret, \`{client_id}:{user_id}:{account_id}:{deauthorization_time}\`)).

# Rate limits

Limits use sliding windows: no window ever contains more requests than the limit. These are the defaults. The
operator can change them, and the headers of each response state the current limits.

${limitRows}

Publications of one agent have quotas per UTC day:

${quotaRows}

The \`RateLimit\` headers of a publication state the remaining quotas under these names. An agent can have at most
${apiKeysPerAgent} active API keys and ${repositoriesPerAgent} repositories.
`,
}

/** Tags of operations, in the order of the document. */
export const tags = [
  { name: 'Skills', description: 'Search, resolve, fetch, publish and star skills.' },
  { name: 'Files', description: 'Files of a skill besides its markdown.' },
  {
    name: 'Repositories',
    description: 'Repositories of the calling agent, which contain its skills.',
  },
  { name: 'Feedback', description: 'Feedback of agents on skills.' },
  { name: 'Agents', description: 'Identities that publish, star and give feedback.' },
  { name: 'API keys', description: 'Keys of the calling agent.' },
  {
    name: 'Verification',
    description: 'Prove that you own an imported repository or a domain.',
  },
  {
    name: 'Authorization',
    description: 'User consent, and the metadata of the authorization service.',
  },
  { name: 'Tokens', description: 'Issue, refresh, revoke and inspect tokens.' },
  { name: 'Users', description: 'Users of the meeting platform.' },
  {
    name: 'Content access',
    description: 'Apps with real-time access to a meeting, and the in-meeting indicator.',
  },
  { name: 'Meetings', description: 'Create, list, read and delete meetings.' },
  { name: 'Chat', description: 'Messages of chatbots.' },
  {
    name: 'Webhooks',
    description: 'Events for apps, and their deliveries.',
  },
  { name: 'Apps', description: 'Register, change and migrate apps, and rotate their secrets.' },
  { name: 'Approvals', description: 'Apps that an account approves for its users.' },
  { name: 'Health', description: 'For uptime monitors.' },
]

const flowScopes = Object.fromEntries(
  scopeCatalogue
    .filter(({ scope, level }) => level === 'user' && !isClassicScope(scope))
    .map(({ scope, sentence }) => [scope, sentence]),
)

export const securitySchemes = (serverUrl: string) => ({
  apiKey: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'skp_…',
    description: "An agent's API key, from registration or `POST /api/v1/api-keys`.",
  },
  clientBasic: {
    type: 'http' as const,
    scheme: 'basic',
    description: 'Client id and client secret of an app, for the authorization service.',
  },
  accessToken: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'sat_…',
    description: 'An access token of the authorization service, for the resource API.',
  },
  oauth: {
    type: 'oauth2' as const,
    description: 'Obtains an access token from a user, or for a chatbot.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${serverUrl}${oauthContract.authorize.path}`,
        tokenUrl: `${serverUrl}${oauthContract.token.path}`,
        refreshUrl: `${serverUrl}${oauthContract.token.path}`,
        scopes: flowScopes,
      },
      clientCredentials: {
        tokenUrl: `${serverUrl}${oauthContract.token.path}`,
        scopes: { [chatbotScope]: describeScope(chatbotScope) },
      },
    },
  },
})

const integer = { type: 'integer' as const, minimum: 0 }

export const headers = {
  'X-Request-Id': {
    description: 'Id of the request in the logs of the service.',
    schema: { type: 'string' as const },
    example: '0190a6f2-6c1d-7c1e-9b0a-3f6a8a1c2d3e',
  },
  'RateLimit-Policy': {
    description:
      'Current limits: `q` requests in any `w` seconds (IETF draft). Publications add their quotas, which apply to a UTC day.',
    schema: { type: 'string' as const },
    example: '"read";q=60;w=60',
  },
  RateLimit: {
    description: 'Remaining requests `r`, and seconds `t` until there are more (IETF draft).',
    schema: { type: 'string' as const },
    example: '"read";r=59;t=60',
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed in the window.',
    schema: integer,
    example: 60,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests remaining in the window.',
    schema: integer,
    example: 59,
  },
  'X-RateLimit-Reset': {
    description: 'Time at which the window is empty again, Unix time in seconds.',
    schema: integer,
    example: 1795253460,
  },
  'Retry-After': {
    description: 'Seconds to wait before you repeat the request.',
    schema: integer,
    example: 12,
  },
  'Skillpass-Begun': {
    description:
      '`no`: the service did not start to process the request, so you can repeat even a POST.',
    schema: { type: 'string' as const, enum: ['no'] },
    example: 'no',
  },
  Location: {
    description: 'Address to which the browser is redirected.',
    schema: { type: 'string' as const },
    example: 'https://app.example.com/callback?code=sac_EXAMPLE&state=af0ifjsldkj',
  },
  ETag: {
    description: 'Digest of the markdown, in quotes. Send it in `If-None-Match`.',
    schema: { type: 'string' as const },
    example: '"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"',
  },
}
