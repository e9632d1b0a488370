import { attemptsPerRegistration, rateLimits } from '@skillpass/contract'
import { problemsOf } from './problems.ts'
import { type Environment, variables } from './variables.ts'

type Variables = typeof variables
type Value<K extends keyof Variables> =
  | ReturnType<Variables[K]['parse']>
  | (Variables[K]['default'] extends undefined ? undefined : never)

/** A configuration that was checked. */
export type Config = Readonly<ReturnType<typeof arrange>>

/**
 * Reads and checks the configuration. Throws an error with a line for each problem, which names the
 * variable. The environment is read nowhere outside this folder.
 */
export function loadConfig(environment: Environment = process.env): Config {
  const problems = problemsOf(environment)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return arrange((name) => {
    const { default: byDefault, parse } = variables[name]
    const given = environment[name] || byDefault
    return (given === undefined ? undefined : parse(given)) as Value<typeof name>
  })
}

function arrange(get: <K extends keyof Variables>(name: K) => Value<K>) {
  const port = get('PORT')
  const local = `http://localhost:${port}`
  const environment = get('NODE_ENV')
  return {
    environment,
    host: get('HOST'),
    port,
    databaseUrl: get('DATABASE_URL'),
    /** How long a start waits for Postgres, ms. */
    databaseWait: get('DATABASE_WAIT_SECONDS') * 1000,
    databasePoolSize: get('DATABASE_POOL_SIZE'),
    /** What secrets at rest are sealed with. */
    encryption: {
      /** Undefined outside production alone, where a file holds it: see `openEncryption`. */
      key: get('ENCRYPTION_KEY'),
      /** Keys of before, which are read with. */
      previous: get('ENCRYPTION_KEY_PREVIOUS') ?? [],
    },
    snapshots: {
      /** As configured, `off` included; see `snapshotFolder`. */
      folder: get('SNAPSHOT_DIR'),
      /** Milliseconds. */
      interval: get('SNAPSHOT_INTERVAL_SECONDS') * 1000,
    },
    redisUrl: get('REDIS_URL'),
    /** Where the files of skills are kept; undefined for the database. */
    blobStore: get('BLOB_URL'),
    /** Public address of the registry, without a slash at the end; never taken from a request. */
    baseUrl: get('BASE_URL') ?? local,
    /** Public address of the authorization service, its issuer, without a slash at the end. */
    authUrl: get('AUTH_URL') ?? local,
    /** Public address of the resource API, without a slash at the end. */
    apiUrl: get('API_URL') ?? local,
    services: get('SERVICES'),
    trustProxy: get('TRUST_PROXY'),
    /** The limit of each class, per its window; 0 is none. */
    rateLimits: {
      read: get('RATE_LIMIT_READS_PER_MINUTE'),
      write: get('RATE_LIMIT_WRITES_PER_MINUTE'),
      download: get('RATE_LIMIT_DOWNLOADS_PER_MINUTE'),
      upload: get('RATE_LIMIT_UPLOADS_PER_MINUTE'),
      registration: get('RATE_LIMIT_REGISTRATIONS_PER_HOUR'),
      registrationAttempt: attemptsPerRegistration * get('RATE_LIMIT_REGISTRATIONS_PER_HOUR'),
      health: get('RATE_LIMIT_READS_PER_MINUTE') === 0 ? 0 : rateLimits.health.limit,
      authorize: get('RATE_LIMIT_AUTHORIZE_PER_MINUTE'),
      resource: get('RATE_LIMIT_RESOURCE_PER_MINUTE'),
    },
    /** What one agent may publish in a UTC day, and how many live API keys it may have; 0 is no limit. */
    quotas: {
      skills: get('QUOTA_SKILLS_PER_DAY'),
      versions: get('QUOTA_VERSIONS_PER_DAY'),
      bytes: get('QUOTA_BYTES_PER_DAY'),
      files: get('QUOTA_FILE_BYTES_PER_DAY'),
      words: get('QUOTA_NEW_WORDS_PER_DAY'),
      reports: get('QUOTA_REPORTS_PER_DAY'),
      apiKeysPerAgent: get('MAX_API_KEYS_PER_AGENT'),
    },
    /** Lives of what the authorization service issues, ms. */
    lifetimes: {
      accessToken: get('ACCESS_TOKEN_TTL_SECONDS') * 1000,
      authorizationCode: get('AUTHORIZATION_CODE_TTL_SECONDS') * 1000,
      deviceCode: get('DEVICE_CODE_TTL_SECONDS') * 1000,
      refreshToken: get('REFRESH_TOKEN_TTL_DAYS') * 86_400_000,
      /** How long a used refresh token gives its successors once more. */
      refreshGrace: get('REFRESH_GRACE_SECONDS') * 1000,
    },
    /** Least time between two polls of a device, seconds. */
    pollInterval: get('DEVICE_POLL_INTERVAL_SECONDS'),
    /** Whether `iss` comes along with a code (RFC 9207). */
    sendsIssuer: get('AUTHORIZATION_RESPONSE_ISS'),
    /** Whether webhooks may go to this machine and its networks. */
    allowsPrivateWebhooks: get('WEBHOOK_ALLOW_PRIVATE_ADDRESSES') ?? environment !== 'production',
    /** What makes vectors of tasks and skills; nothing where resolve goes by words alone. */
    /** What a hidden skill answers. */
    hiddenSkillStatus: get('HIDDEN_SKILL_STATUS'),
    /** What keeps a version out of resolve, and whose answer lets it in. */
    quarantine: {
      rules: get('QUARANTINE_RULES') ?? (new Set() as ReadonlySet<string>),
      releasedBy: get('QUARANTINE_RELEASED_BY'),
    },
    /** How long the audit log keeps an entry, ms. */
    auditRetention: get('AUDIT_RETENTION_DAYS') * 86_400_000,
    verification: {
      /** Address of the file, with `{owner}` and `{repo}`. */
      fileUrl: get('VERIFICATION_FILE_URL'),
      /** Servers that TXT records are asked of; the system's when absent. */
      dnsServers: get('VERIFICATION_DNS_SERVERS'),
    },
    /** Whether requests are refused that cannot be answered in time. */
    controlsAdmission: get('ADMISSION_CONTROL'),
    metricsToken: get('METRICS_TOKEN'),
    logLevel: get('LOG_LEVEL'),
  }
}
