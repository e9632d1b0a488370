import type { LimitClass } from './metadata.ts'

/** A rate limit: at most `limit` requests of one subject in any window of `windowSeconds`. */
export interface RateLimit {
  readonly limit: number
  readonly windowSeconds: number
  /** What is counted: the client's address (IPv6 by /56), the API key, or the client and user of the access token. */
  readonly subject: 'address' | 'apiKey' | 'app'
  /** One sentence for the documentation. */
  readonly description: string
}

/** Default rate limits (registry spec §8). The operator may change the numbers, not the classes. */
export const rateLimits = {
  read: {
    limit: 60,
    windowSeconds: 60,
    subject: 'address',
    description: '60 reads in any 60 seconds per client address.',
  },
  write: {
    limit: 20,
    windowSeconds: 60,
    subject: 'apiKey',
    description: '20 writes in any 60 seconds per API key.',
  },
  registration: {
    limit: 5,
    windowSeconds: 3600,
    subject: 'address',
    description: '5 registrations in any hour per client address.',
  },
  health: {
    limit: 60,
    windowSeconds: 60,
    subject: 'address',
    description: '60 health checks in any 60 seconds per client address, counted apart.',
  },
  authorize: {
    limit: 600,
    windowSeconds: 60,
    subject: 'address',
    description: '600 openings of pages and device codes in any 60 seconds per client address.',
  },
  resource: {
    limit: 6000,
    windowSeconds: 60,
    subject: 'app',
    description: '6,000 calls in any 60 seconds per app and user.',
  },
} as const satisfies Record<LimitClass, RateLimit>

/** Bounds of fields and parameters (registry spec §8; open-points A). Lengths count characters. */
export const bounds = {
  username: { min: 2, max: 39 },
  displayName: 100,
  bio: 500,
  skillName: 100,
  slug: 100,
  description: 500,
  readmeBytes: 256 * 1024,
  tags: 20,
  tag: 50,
  keyName: 100,
  query: 200,
  task: 8000,
  feedbackTask: 500,
  pageSize: { max: 50, default: 20 },
  resolveLimit: { max: 50, default: 10 },
  resolveThreshold: 0.3,
  /** Tokens of a task that one explanation names as missing. */
  missingTokens: 10,
  /** RFC 5321 §4.5.3.1.3 */
  email: 254,
  password: { min: 8, max: 200, differentCharacters: 5 },
  /** First and last name, display name and what else a profile says. */
  profile: { name: 64, displayName: 128, other: 128 },
  platformPageSize: { max: 300, default: 30 },
  appName: 100,
  /** Apps that one user has made. */
  appsPerUser: 500,
  /** Scopes and redirect addresses of one set of credentials, and their length in characters. */
  appScopes: 100,
  scope: 200,
  redirectUris: 50,
  webAddress: 2000,
  /** Life of a meeting token that starts meetings, seconds. */
  zakSeconds: { max: 7_776_000, default: 7200 },
  /** Largest request body, bytes. */
  requestBytes: 1024 * 1024,
  /** Largest form body of an OAuth request, and most parameters in it. */
  formBytes: 64 * 1024,
  formParameters: 100,
  /** Longest query of an OAuth request, characters, and longest `state`, bytes. */
  oauthQuery: 16_000,
  stateBytes: 4096,
} as const

/** First path segments that are routes, so neither a username nor a repository owner may be one. */
export const reservedSegments: ReadonlySet<string> = new Set([
  'agents',
  'api',
  'assets',
  'console',
  'docs',
  'favicon.ico',
  'health',
  'meetings',
  'metrics',
  'my',
  'oauth',
  'oauth_device',
  'openapi.json',
  'resolve',
  'robots.txt',
  'search',
  'sign-in',
  'sign-out',
  'v2',
  '.well-known',
])
