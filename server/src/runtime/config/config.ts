import {
  apiKeysPerAgent,
  attemptsPerRegistration,
  type QuotaName,
  quotas,
  rateLimits,
} from '@skillpass/contract'
import { z } from 'zod'
import { isThisMachine } from '../loopback.ts'
import { dayLength } from '../time.ts'
import { type Environment, variables } from './variables.ts'

type Values = NonNullable<ReturnType<typeof readVariables>['values']>

export type Config = Readonly<ReturnType<typeof toConfig>> & {
  /** The vendor's limits of the resource API. Only the double has them. */
  readonly vendorLimits?: { readonly hints: boolean } | undefined
}

/** Who operates this server, and an email address or the address of a page to reach them. */
export type Operator = Config['operator']

/** Says whom to ask, as part of a sentence: `ask Acme (help@acme.test)`. */
export const askOperator = ({ name = 'the operator of this server', contact }: Operator): string =>
  contact === undefined ? `ask ${name}` : `ask ${name} (${contact})`

/**
 * Reads and validates the configuration. Throws an error with one line per problem.
 */
export function loadConfig(environment: Environment): Config {
  const { values, problems } = readVariables(environment)
  if (!values || problems.length > 0) throw new Error(problems.join('\n'))
  const setsLimits = Object.entries(environment).some(
    ([name, value]) => value && name.startsWith('RATE_LIMIT_'),
  )
  return toConfig(values, setsLimits)
}

function toConfig(values: Values, setsLimits: boolean) {
  const port = values.PORT
  const local = `http://localhost:${port}`
  const environment = values.NODE_ENV
  return {
    environment,
    host: values.HOST,
    port,
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    /**
     * Encryption keys, the current one first. May be empty outside production: see
     * `openEncryption`.
     */
    encryptionKeys: values.ENCRYPTION_KEY ?? [],
    /** The configured value, which may be `off`; see `snapshotFolder`. */
    snapshotDir: values.SNAPSHOT_DIR,
    redisUrl: values.REDIS_URL,
    /** Store of the files of skills; undefined for the database. */
    blobStore: values.BLOB_URL,
    /** Public address of the registry, without a trailing slash. */
    baseUrl: values.BASE_URL ?? local,
    /** Public address of the authorization service and its issuer, without a trailing slash. */
    authUrl: values.AUTH_URL ?? local,
    /** Public address of the resource API, without a trailing slash. */
    apiUrl: values.API_URL ?? local,
    services: values.SERVICES,
    /** Whether people may create accounts themselves. */
    allowsSignUp: (values.SIGN_UP ?? (environment === 'production' ? 'closed' : 'open')) === 'open',
    /** Who may register agents through the API. */
    registration: values.REGISTRATION,
    operator: { name: values.OPERATOR_NAME, contact: values.OPERATOR_CONTACT },
    trustProxy: values.TRUST_PROXY,
    /** The limit of each class per window; 0 disables it. */
    rateLimits: {
      read: values.RATE_LIMIT_READS_PER_MINUTE,
      write: values.RATE_LIMIT_WRITES_PER_MINUTE,
      download: values.RATE_LIMIT_DOWNLOADS_PER_MINUTE,
      upload: uploadsPerWrite * values.RATE_LIMIT_WRITES_PER_MINUTE,
      registration: values.RATE_LIMIT_REGISTRATIONS_PER_HOUR,
      registrationAttempt: attemptsPerRegistration * values.RATE_LIMIT_REGISTRATIONS_PER_HOUR,
      report: 2 * values.RATE_LIMIT_REGISTRATIONS_PER_HOUR,
      health: values.RATE_LIMIT_READS_PER_MINUTE === 0 ? 0 : rateLimits.health.limit,
      authorize: values.RATE_LIMIT_AUTHORIZE_PER_MINUTE,
      resource: values.RATE_LIMIT_RESOURCE_PER_MINUTE,
    },
    /** Whether rate limits apply to requests that come directly from this machine. */
    limitsThisMachine: setsLimits || environment !== 'development',
    /** Daily quotas (UTC) of an agent, and its number of API keys; 0 disables the limit. */
    quotas: scaleQuotas(values.QUOTA_FACTOR),
    /** Lifetimes of tokens and codes, ms. */
    lifetimes: {
      accessToken: values.ACCESS_TOKEN_TTL_SECONDS * 1000,
      authorizationCode: values.AUTHORIZATION_CODE_TTL_SECONDS * 1000,
      deviceCode: values.DEVICE_CODE_TTL_SECONDS * 1000,
      refreshToken: values.REFRESH_TOKEN_TTL_DAYS * dayLength,
      /** How long reusing a refresh token returns the same new tokens. */
      refreshGrace: values.REFRESH_GRACE_SECONDS * 1000,
    },
    /** Minimum time between two polls of a device, seconds. */
    pollInterval: values.DEVICE_POLL_INTERVAL_SECONDS,
    /** Whether authorization responses contain `iss` (RFC 9207). */
    sendsIssuer: values.AUTHORIZATION_RESPONSE_ISS,
    /** Whether a client id can be the address of a document, or on which hosts. */
    clientDocuments: values.CLIENT_ID_DOCUMENTS,
    /** Whether clients may register themselves (RFC 7591), or only those on loopback. */
    registersClients:
      values.DYNAMIC_CLIENT_REGISTRATION ?? (environment === 'development' && 'on loopback'),
    /** Whether webhooks may use loopback and private addresses. */
    allowsPrivateWebhooks: values.WEBHOOK_ALLOW_PRIVATE_ADDRESSES ?? environment !== 'production',
    /** Whether documents and key sets of clients may be on loopback, in development. */
    allowsLoopbackDocuments:
      environment !== 'production' && values.WEBHOOK_ALLOW_PRIVATE_ADDRESSES !== false,
    /** Lint rules that keep a version out of resolve. */
    quarantineRules: values.QUARANTINE_RULES ?? (new Set() as ReadonlySet<string>),
    /** Age at which entries of the audit log are deleted, ms. */
    auditRetention: values.AUDIT_RETENTION_DAYS * dayLength,
    verification: {
      /** Address of the file, with `{owner}` and `{repo}`. */
      fileUrl: values.VERIFICATION_FILE_URL,
      /** DNS servers for TXT records; undefined for the system's. */
      dnsServers: values.VERIFICATION_DNS_SERVERS,
    },
    trustedIssuers: values.TRUSTED_ISSUERS,
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
  }
}

const uploadsPerWrite = 60

function scaleQuotas(factor: number) {
  const times = (limit: number) => Math.ceil(limit * factor)
  const daily = Object.entries(quotas).map(([name, { limit }]) => [name, times(limit)])
  const named: Readonly<Record<QuotaName, number>> = Object.fromEntries(daily)
  return { ...named, apiKeysPerAgent: times(apiKeysPerAgent) }
}

/** Parses all variables. Returns their values and a sentence for each problem of a start. */
export function readVariables(environment: Environment) {
  const given = Object.entries(environment).filter(([, value]) => value !== '')
  const { data, error } = z.object(variables).safeParse(Object.fromEntries(given))
  const problems = error?.issues.map(({ path, message }) => `${String(path[0])} ${message}.`) ?? []
  if (environment.NODE_ENV === 'production') problems.push(...problemsInProduction(environment))
  return { values: data, problems }
}

/** The variable, service and display name of each public address. */
const addresses = [
  ['BASE_URL', 'registry', 'the registry'],
  ['AUTH_URL', 'oauth', 'the authorization service'],
  ['API_URL', 'platform', 'the resource API'],
] as const

function* problemsInProduction(environment: Environment): Generator<string> {
  if (!environment.ENCRYPTION_KEY) {
    yield 'ENCRYPTION_KEY must be set in production: generate it with `openssl rand -base64 32`, back it up, and use the same key on all nodes.'
  }
  const served = variables.SERVICES.safeParse(environment.SERVICES || undefined).data
  for (const [name, service, displayName] of addresses) {
    const given = environment[name]
    if (!given && served?.has(service)) {
      yield `${name} must be set in production: the https address at which people and apps reach ${displayName}.`
    }
    if (given && isPlainHttp(given)) {
      yield `${name} must be an https address in production; only localhost may use http.`
    }
  }
}

/** Whether traffic to the address could be read or changed on a network. */
function isPlainHttp(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:') return false
  return !isThisMachine(url.hostname) && !url.hostname.endsWith('.localhost')
}
