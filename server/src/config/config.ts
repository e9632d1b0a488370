import {
  apiKeysPerAgent,
  attemptsPerRegistration,
  type QuotaName,
  quotas,
  rateLimits,
} from '@skillpass/contract'
import { readVariables } from './problems.ts'
import type { Environment } from './variables.ts'

type Values = NonNullable<ReturnType<typeof readVariables>['values']>

/** A configuration that was checked. */
export type Config = Readonly<ReturnType<typeof arrange>>

/**
 * Reads and checks the configuration. Throws an error with a line for each problem, which names the
 * variable. The environment is read nowhere outside this folder.
 */
export function loadConfig(environment: Environment = process.env): Config {
  const { values, problems } = readVariables(environment)
  if (!values || problems.length > 0) throw new Error(problems.join('\n'))
  return arrange(values)
}

function arrange(values: Values) {
  const port = values.PORT
  const local = `http://localhost:${port}`
  const environment = values.NODE_ENV
  return {
    environment,
    host: values.HOST,
    port,
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    /** Keys of secrets at rest, the current one first. None outside production: see `openEncryption`. */
    encryptionKeys: values.ENCRYPTION_KEY ?? [],
    /** As configured, `off` included; see `snapshotFolder`. */
    snapshots: { folder: values.SNAPSHOT_DIR },
    redisUrl: values.REDIS_URL,
    /** Where the files of skills are kept; undefined for the database. */
    blobStore: values.BLOB_URL,
    /** Public address of the registry, without a slash at the end; never taken from a request. */
    baseUrl: values.BASE_URL ?? local,
    /** Public address of the authorization service, its issuer, without a slash at the end. */
    authUrl: values.AUTH_URL ?? local,
    /** Public address of the resource API, without a slash at the end. */
    apiUrl: values.API_URL ?? local,
    services: values.SERVICES,
    trustProxy: values.TRUST_PROXY,
    /** The limit of each class, per its window; 0 is none. */
    rateLimits: {
      read: values.RATE_LIMIT_READS_PER_MINUTE,
      write: values.RATE_LIMIT_WRITES_PER_MINUTE,
      download: values.RATE_LIMIT_DOWNLOADS_PER_MINUTE,
      upload: uploadsPerWrite * values.RATE_LIMIT_WRITES_PER_MINUTE,
      registration: values.RATE_LIMIT_REGISTRATIONS_PER_HOUR,
      registrationAttempt: attemptsPerRegistration * values.RATE_LIMIT_REGISTRATIONS_PER_HOUR,
      health: values.RATE_LIMIT_READS_PER_MINUTE === 0 ? 0 : rateLimits.health.limit,
      authorize: values.RATE_LIMIT_AUTHORIZE_PER_MINUTE,
      resource: values.RATE_LIMIT_RESOURCE_PER_MINUTE,
    },
    /** What one agent may publish in a UTC day, and how many live API keys it may have; 0 is no limit. */
    quotas: quotasTimes(values.QUOTA_FACTOR),
    /** Lives of what the authorization service issues, ms. */
    lifetimes: {
      accessToken: values.ACCESS_TOKEN_TTL_SECONDS * 1000,
      authorizationCode: values.AUTHORIZATION_CODE_TTL_SECONDS * 1000,
      deviceCode: values.DEVICE_CODE_TTL_SECONDS * 1000,
      refreshToken: values.REFRESH_TOKEN_TTL_DAYS * 86_400_000,
      /** How long a used refresh token gives its successors once more. */
      refreshGrace: values.REFRESH_GRACE_SECONDS * 1000,
    },
    /** Least time between two polls of a device, seconds. */
    pollInterval: values.DEVICE_POLL_INTERVAL_SECONDS,
    /** Whether `iss` comes along with a code (RFC 9207). */
    sendsIssuer: values.AUTHORIZATION_RESPONSE_ISS,
    /** Whether webhooks may go to this machine and its networks. */
    allowsPrivateWebhooks: values.WEBHOOK_ALLOW_PRIVATE_ADDRESSES ?? environment !== 'production',
    /** What keeps a version out of resolve. */
    quarantine: { rules: values.QUARANTINE_RULES ?? (new Set() as ReadonlySet<string>) },
    /** How long the audit log keeps an entry, ms. */
    auditRetention: values.AUDIT_RETENTION_DAYS * 86_400_000,
    verification: {
      /** Address of the file, with `{owner}` and `{repo}`. */
      fileUrl: values.VERIFICATION_FILE_URL,
      /** Servers that TXT records are asked of; the system's when absent. */
      dnsServers: values.VERIFICATION_DNS_SERVERS,
    },
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
  }
}

/** Files that an agent may upload for each write. */
const uploadsPerWrite = 60

function quotasTimes(factor: number) {
  const times = (limit: number) => Math.ceil(limit * factor)
  const daily = Object.entries(quotas).map(([name, { limit }]) => [name, times(limit)])
  const named: Readonly<Record<QuotaName, number>> = Object.fromEntries(daily)
  return { ...named, apiKeysPerAgent: times(apiKeysPerAgent) }
}
