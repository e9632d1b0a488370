/** A rate limit: at most `limit` requests of one subject in any window of `windowSeconds`. */
export interface RateLimit {
  readonly limit: number
  readonly windowSeconds: number
  /**
   * The counted unit: the client's address (IPv6 by /56), the agent, or the client and user of the
   * access token.
   */
  readonly subject: 'address' | 'agent' | 'app'
  /** The class that counts all attempts, if this class counts only successful ones. */
  readonly attempts?: 'registrationAttempt'
  /** One sentence for the documentation. */
  readonly description: string
}

/** Attempts per allowed registration. This limits the guessing of usernames. */
export const attemptsPerRegistration = 12

const perMinute = { windowSeconds: 60, subject: 'address' } as const
const perHour = { windowSeconds: 3600, subject: 'address' } as const

/**
 * Default rate limits (spec/registry.md#limits). The operator can change the numbers, not the
 * classes.
 */
export const rateLimits = {
  read: { limit: 60, ...perMinute, description: '60 reads in any 60 seconds per client address.' },
  write: {
    limit: 20,
    ...perMinute,
    subject: 'agent',
    description: '20 writes in any 60 seconds per agent, counted over all its API keys.',
  },
  download: {
    limit: 600,
    ...perMinute,
    description:
      '600 files, archives and file lists in any 60 seconds per client address, counted separately from other reads.',
  },
  upload: {
    limit: 1200,
    ...perMinute,
    subject: 'agent',
    description: '1,200 files in any 60 seconds per agent, counted separately from other writes.',
  },
  registration: {
    limit: 5,
    ...perHour,
    attempts: 'registrationAttempt',
    description:
      '5 registrations in any hour per client address. Failed registrations do not count.',
  },
  registrationAttempt: {
    limit: 5 * attemptsPerRegistration,
    ...perHour,
    description: '60 registration attempts in any hour per client address, including failed ones.',
  },
  report: {
    limit: 10,
    ...perHour,
    description: '10 reports of readers in any hour per client address.',
  },
  health: {
    limit: 60,
    ...perMinute,
    description: '60 health checks in any 60 seconds per client address, counted separately.',
  },
  authorize: {
    limit: 600,
    ...perMinute,
    description: '600 page views and device code requests in any 60 seconds per client address.',
  },
  resource: {
    limit: 6000,
    ...perMinute,
    subject: 'app',
    description: '6,000 calls in any 60 seconds per app and user.',
  },
} as const satisfies Record<string, RateLimit>

/** Name of a rate limit. */
export type LimitClass = keyof typeof rateLimits

/** A quota: one agent may publish or send at most `limit` of `unit` per UTC day. */
export interface Quota {
  readonly limit: number
  /** Verb for messages. */
  readonly act: 'publish' | 'send'
  /** Counted unit for messages. */
  readonly unit: string
}

/** Default quotas per agent and UTC day. The operator can change the numbers. */
export const quotas = {
  skills: { limit: 200, act: 'publish', unit: 'new skills' },
  versions: { limit: 1000, act: 'publish', unit: 'new versions, including first versions' },
  bytes: {
    limit: 50 * 1024 * 1024,
    act: 'publish',
    unit: 'bytes of names, descriptions, tags and readmes',
  },
  files: { limit: 256 * 1024 * 1024, act: 'publish', unit: 'bytes of files' },
  words: { limit: 100_000, act: 'publish', unit: 'words that no skill had before' },
  reports: { limit: 20, act: 'send', unit: 'new reports' },
} as const satisfies Record<string, Quota>

/** Name of a quota, also used as the policy name in the `RateLimit` headers. */
export type QuotaName = keyof typeof quotas

/** Default maximum number of active API keys per agent. */
export const apiKeysPerAgent = 20

/** Maximum number of repositories per agent. */
export const repositoriesPerAgent = 100

/**
 * Limits of fields and parameters (spec/registry.md#limits, spec/decisions.md#registry-bounds).
 * Lengths are in characters.
 */
export const bounds = {
  username: { min: 2, max: 39 },
  displayName: 100,
  bio: 500,
  skillName: 100,
  slug: 100,
  /** Folder name, in UTF-16 code units. */
  folder: 255,
  description: 500,
  readmeBytes: 256 * 1024,
  /** Files of a version besides its readme, their total bytes, and the bytes of one file. */
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
  /** Text of a report. */
  reportText: 500,
  /** A publisher's response to findings. */
  answerText: 1000,
  versionReason: 300,
  versionLabel: 100,
  /** A domain name as text (RFC 1035 §2.3.4). */
  domain: 253,
  /** Open claims per agent. */
  openVerifications: 20,
  pageSize: { max: 50, default: 20 },
  resolveLimit: { max: 50, default: 10 },
  resolveThreshold: 0.3,
  /** Skills and tasks of a trial. */
  trialSkills: 100,
  trialTasks: 50,
  skillWarnings: 25,
  missingTokens: 10,
  /** RFC 5321 §4.5.3.1.3 */
  email: 254,
  password: { min: 8, max: 200, differentCharacters: 5 },
  /** First and last name, display name, and other profile fields. */
  profile: { name: 64, displayName: 128, other: 128 },
  platformPageSize: { max: 300, default: 30 },
  appName: 100,
  /** Apps per user. */
  appsPerUser: 500,
  /** Number and length of scopes and redirect URIs per set of credentials. */
  appScopes: 100,
  scope: 200,
  redirectUris: 50,
  registeredName: 80,
  webAddress: 2000,
  /** Lifetime of a ZAK, which starts meetings, seconds. */
  zakSeconds: { max: 7_776_000, default: 7200 },
  /** Largest request body, bytes. */
  requestBytes: 1024 * 1024,
  /** Largest form body of an OAuth request, and its maximum number of parameters. */
  formBytes: 64 * 1024,
  formParameters: 100,
  /** Longest query of an OAuth request in characters, and longest `state` in bytes. */
  oauthQuery: 16_000,
  stateBytes: 4096,
} as const

/** First path segments of routes. They cannot be usernames or repository owners. */
export const reservedSegments: ReadonlySet<string> = new Set(
  `account agents api assets clawhub console docs favicon.ico health index index.md llms.txt mcp
  meetings metrics my oauth oauth_device openapi.json resolve resolve.md robots.txt search
  search.md sign-in sign-out sign-up skill skill.md v2 .well-known`.split(/\s+/),
)
