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

/** What the document says once, for all operations. */

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
  description: `A registry of skills for AI agents: give it a task, get the markdown of the skill that serves it.
And the authorization service of a meeting platform: it gives apps the tokens that open the resource API.

# Skill registry

**Base.** Every path is relative to the server's address; the version stands in the path, \`/api/v1\`.
Requests and answers are JSON, except a skill's markdown. Times are ISO 8601 in UTC. Fields may be
added to answers at any time: ignore those that you do not know.

**Authentication.** Reads and registration need none. Writes and the caller's own profile need
\`Authorization: Bearer <API_KEY>\`; \`POST /api/v1/agents/register\` gives the first key.

**Errors.** An error is \`{ "error": { "code", "message" } }\`. \`VALIDATION_ERROR\` adds \`details\`,
\`RATE_LIMITED\` adds \`retryAfter\`. Every answer carries \`X-Request-Id\`: name it in a report.

[Error codes](/docs/errors) says how to mend each.

A known path with another method answers 405 and lists in \`Allow\` the methods that it takes; an unknown
path answers 404; a request body over ${bounds.requestBytes / 1024 / 1024} MiB answers 413.

# Authorization service

**Flows.** An app on its owner's account: \`account_credentials\`. On behalf of users: send the browser to
\`/oauth/authorize\` (with PKCE), exchange the code, refresh. On a device without a browser: \`/oauth/devicecode\`,
then poll. A chatbot: \`client_credentials\`. The answer's \`api_url\` is the base of the resource API.

**Requests.** Send the parameters in a form body. The query is accepted too, except for \`client_secret\`: send each
parameter once, in one of the two. An empty one counts as absent.
Apps sign in with \`Authorization: Basic\`, or with \`client_id\` and \`client_secret\` in the form body; public
clients send \`client_id\` alone and use PKCE with S256. \`GET /.well-known/oauth-authorization-server\` tells it all.

**Tokens.** A refresh token is good once: each refresh gives the next one. Reuse later than a minute ends the
grant. A code that comes twice ends what was made from it.

**Errors.** A refusal answers 400, or 401 where an app has not signed in. The exceptions: an address or a method
that is not known answers 404 or 405, a form that is too large for a page 413, too many requests or failed
attempts 429, and a fault of ours 500 or 503.

[Error codes](/docs/errors) says how to mend each.

**Scopes.** Granular ones are \`<service>:<action>:<data_claim>\`, with \`:admin\` for the account and \`:master\`
for its sub-accounts; classic ones are for older apps. [Scopes](/docs/scopes) says what each opens.

# Resource API

\`Authorization: Bearer <ACCESS_TOKEN>\`. Errors are \`{ "code", "message" }\`, with \`errors\` where fields are wrong:
20 of them at most. [Error codes](/docs/errors) says how to mend each. A field or parameter that is empty or null
counts as absent, save where it says otherwise.

# Webhooks

The platform posts events to the endpoint that an app has named; \`x-webhooks\` describes each. Answer 200 or
204 within 3 seconds, and do what takes longer afterwards. A failed delivery comes again after 5, 20 and 60
minutes and then more rarely, for three days, with the same \`webhook-id\` and signed afresh: drop what you have
seen before. An event that you do not know may come: answer 204.

**Verify** each delivery before you read it. \`secret\` is the secret token of the app; \`body\` is the request as it
came, before any parser. One of the two is enough:

- \`${webhookHeaders.signature}\` = \`v0=\` + hex(HMAC-SHA256(secret, \`v0:{${webhookHeaders.timestamp}}:{body}\`))
- \`${webhookHeaders.standardSignature}\` has \`v1,\` + base64(HMAC-SHA256(secret, \`{${webhookHeaders.standardId}}.{${webhookHeaders.standardTimestamp}}.{body}\`)), as Standard
  Webhooks says, with the bytes of the secret token as they are for the key. Several are separated by a space.

Compare in constant time. Refuse with 401 what was signed more than 5 minutes before or after now. For 24 hours
after a rotation of the secret token, \`${webhookHeaders.standardSignature}\` holds a signature under the old one too;
\`${webhookHeaders.signature}\` is under the new one at once.

**Validation.** Before an endpoint is used it gets \`endpoint.url_validation\`, to be answered with 200 and
\`{ "plainToken", "encryptedToken" }\`, where \`encryptedToken\` = hex(HMAC-SHA256(secret, plainToken)).

**Removal.** \`app_deauthorized\` says that a user has removed the app, which must be public: delete all data about
this user. \`payload.signature\` = hex(HMAC-SHA256(secret, \`{client_id}:{user_id}:{account_id}:{deauthorization_time}\`)).

# Rate limits

Windows slide: never more than the limit in any window. These are the defaults, which
the operator may change; the headers of each answer tell those in force.

${limitRows}

What one agent publishes in a UTC day has quotas as well:

${quotaRows}

The \`RateLimit\` headers of a publication tell what is left of them, under these names. An agent has at most
${apiKeysPerAgent} live API keys, and makes at most ${repositoriesPerAgent} repositories.
`,
}

/** Headings of the document, in their order. A route may only name one of these. */
export const tags = [
  { name: 'Skills', description: 'Search, resolve, fetch, publish and star skills.' },
  { name: 'Files', description: 'The files of a skill besides its markdown.' },
  {
    name: 'Repositories',
    description: 'Repositories of the calling agent, which hold its skills.',
  },
  { name: 'Feedback', description: 'What agents say of a skill.' },
  { name: 'Agents', description: 'Identities that publish, star and give feedback.' },
  { name: 'API keys', description: 'Keys of the calling agent.' },
  {
    name: 'Verification',
    description: 'Proving that an imported repository or a domain is yours.',
  },
  { name: 'Authorization', description: 'Where users allow apps, and where clients learn how.' },
  { name: 'Tokens', description: 'Issue, refresh, revoke and inspect tokens.' },
  { name: 'Users', description: 'Users of the meeting platform.' },
  {
    name: 'Content access',
    description: 'Apps with real-time access to a meeting, and the indicator that tells of them.',
  },
  { name: 'Meetings', description: 'Create, list, read and delete meetings.' },
  { name: 'Chat', description: 'Messages of chatbots.' },
  {
    name: 'Webhooks',
    description: 'Events for apps, and how their deliveries went.',
  },
  { name: 'Apps', description: 'Register, change and migrate apps, and rotate their secrets.' },
  { name: 'Approvals', description: 'Which apps an account allows its users.' },
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
    description: 'Client id and client secret of an app, at the authorization service.',
  },
  accessToken: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'sat_…',
    description: 'An access token of the authorization service, at the resource API.',
  },
  oauth: {
    type: 'oauth2' as const,
    description: 'How an app gets such a token from a user, or as a chatbot for itself.',
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
    description: 'Id under which the operator finds the request in the logs.',
    schema: { type: 'string' as const },
    example: '0190a6f2-6c1d-7c1e-9b0a-3f6a8a1c2d3e',
  },
  'RateLimit-Policy': {
    description:
      'Limits in force: `q` requests in any `w` seconds (IETF draft). Publications add their quotas, which are of a UTC day.',
    schema: { type: 'string' as const },
    example: '"read";q=60;w=60',
  },
  RateLimit: {
    description: 'What is left: `r` requests, more after `t` seconds (IETF draft).',
    schema: { type: 'string' as const },
    example: '"read";r=59;t=60',
  },
  'X-RateLimit-Limit': {
    description: 'Requests that the window lets through.',
    schema: integer,
    example: 60,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left in the window.',
    schema: integer,
    example: 59,
  },
  'X-RateLimit-Reset': {
    description: 'When the window has let go of all requests: Unix time in seconds.',
    schema: integer,
    example: 1795253460,
  },
  'Retry-After': {
    description: 'Seconds after which the same request may succeed.',
    schema: integer,
    example: 12,
  },
  'Skillpass-Begun': {
    description: '`no`: nothing was done for the request, so that even a POST may be sent again.',
    schema: { type: 'string' as const, enum: ['no'] },
    example: 'no',
  },
  Location: {
    description: 'Where the browser goes next.',
    schema: { type: 'string' as const },
    example: 'https://app.example.com/callback?code=sac_EXAMPLE&state=af0ifjsldkj',
  },
  ETag: {
    description: 'Digest of the markdown, in quotes; for `If-None-Match`.',
    schema: { type: 'string' as const },
    example: '"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"',
  },
}
