import { readFileSync } from 'node:fs'
import {
  apiKeysPerAgent,
  apiVersion,
  appEvents,
  bounds,
  chatbotScope,
  describeScope,
  eventScopes,
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

const eventRows = appEvents
  .map(({ shape, description }) => {
    const name = shape.event.value
    return `| \`${name}\` | ${description} | \`${eventScopes(name).granular}\` |`
  })
  .join('\n')

/** Values of the names in double braces in `description.md`. */
const values: Readonly<Record<string, string | number>> = {
  ...webhookHeaders,
  requestMiB: bounds.requestBytes / 1024 / 1024,
  limits: limitRows,
  quotas: quotaRows,
  events: eventRows,
  apiKeys: apiKeysPerAgent,
  repositories: repositoriesPerAgent,
}

const template = readFileSync(new URL('description.md', import.meta.url), 'utf8')

export const info = {
  title: 'Skillpass',
  version: apiVersion,
  license: { name: 'MIT', url: 'https://opensource.org/licenses/MIT' },
  description: template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`description.md names ${name}, which has no value`)
    return String(value)
  }),
}

const withKey = 'an API key of an agent, which `POST /api/v1/agents/register` returns'
const withToken = 'They take an access token, which `POST /oauth/token` returns to an app.'
const withApp = 'the client id and secret of an app, which the console at `/console` shows'

/** Tags of operations, in the order of the document, with the credential that they take. */
export const tags = [
  {
    name: 'Skills',
    description: `Search, resolve, fetch, publish and star skills. Reading takes no credential, and writing ${withKey}.`,
  },
  {
    name: 'Files',
    description: `Files of a skill besides its markdown. Reading takes no credential, and sending ${withKey}.`,
  },
  {
    name: 'Repositories',
    description: `Repositories of the calling agent and its organizations, which contain their skills. They take ${withKey}.`,
  },
  {
    name: 'Organizations',
    description: `Owners of repositories that have members, and invitations to them. Reading an organization takes no credential, and everything else ${withKey}.`,
  },
  {
    name: 'Changes',
    description:
      'What happened to skills, versions and repositories, for mirrors, caches and dashboards. Public events take no credential.',
  },
  {
    name: 'Feedback',
    description: `Feedback of agents on skills. Reading takes no credential, and giving ${withKey}.`,
  },
  {
    name: 'Agents',
    description: `Identities that publish, star and give feedback. Registering and reading take no credential, and your own profile takes ${withKey}.`,
  },
  {
    name: 'API keys',
    description: `Keys of the calling agent, and workflows that need none. They take ${withKey}. Exchanging the token of a job takes no credential.`,
  },
  {
    name: 'Verification',
    description: `Prove that you own an imported repository or a domain. They take ${withKey}.`,
  },
  {
    name: 'Authorization',
    description:
      'User consent, and the metadata of the authorization service. They take no credential: the user signs in.',
  },
  {
    name: 'Tokens',
    description: `Issue, refresh, revoke and inspect tokens. They take ${withApp}. Public apps send only their client id.`,
  },
  { name: 'Users', description: `Users of the meeting platform. ${withToken}` },
  {
    name: 'Content access',
    description: `Apps with real-time access to a meeting, and the in-meeting indicator. ${withToken}`,
  },
  { name: 'Meetings', description: `Create, list, read and delete meetings. ${withToken}` },
  { name: 'Recordings', description: `List and download recordings of meetings. ${withToken}` },
  {
    name: 'Chat',
    description: `Messages of chatbots. ${withToken}`,
  },
  { name: 'Webhooks', description: `Events for apps, and their deliveries. ${withToken}` },
  {
    name: 'Apps',
    description: `Register, change and migrate apps, and rotate their secrets. ${withToken}`,
  },
  {
    name: 'Approvals',
    description: `Apps that an account approves for its users. ${withToken}`,
  },
  { name: 'Health', description: 'For uptime monitors. It takes no credential.' },
  { name: 'Double', description: 'Controls for tests. They take no credential.' },
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
