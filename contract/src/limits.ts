import type { LimitClass } from './metadata.ts'

/** A rate limit: at most `limit` requests of one subject in any window of `windowSeconds`. */
export interface RateLimit {
  readonly limit: number
  readonly windowSeconds: number
  /** What is counted: the client's address (IPv6 by /56), the agent, or the client and user of the access token. */
  readonly subject: 'address' | 'agent' | 'app'
  /** The class that counts every attempt, where this one counts those that succeed. */
  readonly attempts?: LimitClass
  /** One sentence for the documentation. */
  readonly description: string
}

/** Registrations that may be tried for each that may succeed: names are not guessed at leisure. */
export const attemptsPerRegistration = 12

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
    subject: 'agent',
    description: '20 writes in any 60 seconds per agent, with all its API keys together.',
  },
  download: {
    limit: 600,
    windowSeconds: 60,
    subject: 'address',
    description:
      '600 files, archives and lists of files in any 60 seconds per client address, counted apart from other reads.',
  },
  upload: {
    limit: 1200,
    windowSeconds: 60,
    subject: 'agent',
    description: '1,200 files in any 60 seconds per agent, counted apart from other writes.',
  },
  registration: {
    limit: 5,
    windowSeconds: 3600,
    subject: 'address',
    attempts: 'registrationAttempt',
    description:
      '5 registrations in any hour per client address; one that is refused is not counted here.',
  },
  registrationAttempt: {
    limit: 5 * attemptsPerRegistration,
    windowSeconds: 3600,
    subject: 'address',
    description: '60 attempts to register in any hour per client address, refused ones included.',
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

/** A quota: at most `limit` of `unit` that one agent publishes or sends in a UTC day. */
export interface Quota {
  readonly limit: number
  /** What an agent does with it, as sentences say it. */
  readonly act: 'publish' | 'send'
  /** What is counted, as sentences name it. */
  readonly unit: string
}

/** Default quotas of what one agent does in a UTC day; the operator may change the numbers. */
export const quotas = {
  skills: { limit: 200, act: 'publish', unit: 'new skills' },
  versions: { limit: 1000, act: 'publish', unit: 'new versions, first ones included' },
  bytes: {
    limit: 50 * 1024 * 1024,
    act: 'publish',
    unit: 'bytes of names, descriptions, tags and readmes',
  },
  files: { limit: 256 * 1024 * 1024, act: 'publish', unit: 'bytes of files' },
  words: { limit: 100_000, act: 'publish', unit: 'words that no skill had before' },
  reports: { limit: 20, act: 'send', unit: 'new reports' },
} as const satisfies Record<string, Quota>

/** What is counted of an agent's publications and reports; also the policy's name in the `RateLimit` headers. */
export type QuotaName = keyof typeof quotas

/** API keys that one agent may have at a time, by default. */
export const apiKeysPerAgent = 20

/** Repositories that one agent may make. */
export const repositoriesPerAgent = 100

/** Bounds of fields and parameters (registry spec §8; open-points A). Lengths count characters. */
export const bounds = {
  username: { min: 2, max: 39 },
  displayName: 100,
  bio: 500,
  skillName: 100,
  slug: 100,
  /** Name of a folder, UTF-16 units. */
  folder: 255,
  description: 500,
  readmeBytes: 256 * 1024,
  /** Files of a version beside its readme, their bytes together, and those of one. */
  files: 512,
  bundleBytes: 16 * 1024 * 1024,
  blobBytes: 4 * 1024 * 1024,
  tags: 20,
  tag: 50,
  keyName: 100,
  repository: 100,
  query: 200,
  task: 8000,
  feedbackTask: 500,
  /** What a report says beside its reason. */
  reportText: 500,
  /** What a publisher answers to findings. */
  answerText: 1000,
  /** A domain name in text (RFC 1035 §2.3.4). */
  domain: 253,
  /** Open claims of one agent. */
  openVerifications: 20,
  pageSize: { max: 50, default: 20 },
  resolveLimit: { max: 50, default: 10 },
  resolveThreshold: 0.3,
  /** Tokens of a task that one explanation names as missing. */
  skillWarnings: 25,
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
  'clawhub',
  'console',
  'docs',
  'favicon.ico',
  'health',
  'index',
  'index.md',
  'llms.txt',
  'meetings',
  'metrics',
  'my',
  'oauth',
  'oauth_device',
  'openapi.json',
  'resolve',
  'resolve.md',
  'robots.txt',
  'search',
  'search.md',
  'sign-in',
  'sign-out',
  'skill',
  'skill.md',
  'v2',
  '.well-known',
])
