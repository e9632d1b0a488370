import { apiKeysPerAgent, type QuotaName, quotas } from '@skillpass/contract'

/**
 * The whole configuration: one table of variables, each with its default, meaning and check. The
 * environment is read nowhere else.
 */

import { isIP } from 'node:net'

interface Variable<T> {
  /** What holds when the variable is absent or empty. */
  readonly default: string | undefined
  readonly meaning: string
  /** Reads the value; throws a sentence that says what is allowed. */
  readonly parse: (value: string) => T
  /** Masked wherever the configuration is printed. */
  readonly secret?: boolean
}

const variable = <T>(value: Variable<T>) => value

const integer = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new Error(`must be a whole number from ${min} to ${max}`)
  }
  return number
}

const oneOf =
  <const T extends string>(...allowed: T[]) =>
  (value: string): T => {
    const found = allowed.find((item) => item === value)
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`)
    return found
  }

const address = (value: string) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new Error('must be an http or https address without query, fragment and credentials')
  }
  return value.replace(/\/+$/, '')
}

/** An address that paths are put behind, as cookies and RFC 8414 need it. */
const origin = (value: string) => {
  const base = address(value)
  if (new URL(base).pathname !== '/') throw new Error('must be an address without a path')
  return base
}

const services = ['registry', 'oauth', 'platform'] as const

/** One of the three services of this build. */
export type Service = (typeof services)[number]

const serviceList = (value: string): ReadonlySet<Service> =>
  new Set(value.split(',').map((name) => oneOf(...services)(name.trim())))

/** An address with a place for the owner and one for the repository. */
const fileTemplate = (value: string) => {
  const sample = value.replaceAll('{owner}', 'owner').replaceAll('{repo}', 'repo')
  const url = URL.canParse(sample) ? new URL(sample) : undefined
  const isWhole = value.includes('{owner}') && value.includes('{repo}')
  // In the host they would let a claim choose where the request goes.
  if (!url || !/^https?:$/.test(url.protocol) || !isWhole || /^[^/]*\/\/[^/]*[{]/.test(value)) {
    throw new Error('must be an http or https address whose path holds {owner} and {repo}')
  }
  return value
}

const dnsServers = (value: string): string[] => {
  const servers = value.split(',').map((server) => server.trim())
  for (const server of servers) {
    const [, host = ''] = /^\[?([0-9a-f.:]+?)\]?(?::\d{1,5})?$/i.exec(server) ?? []
    if (isIP(host) === 0 && isIP(server) === 0) {
      throw new Error('must be a list of IP addresses, each with a port where it is not 53')
    }
  }
  return servers
}

const onOff = (value: string) => oneOf('on', 'off')(value) === 'on'

const databaseUrl = (value: string) => {
  if (!/^(file:.|postgres(ql)?:\/\/.)/.test(value)) {
    throw new Error('must be file:PATH or postgres://…')
  }
  return value
}

/** Where only a host is named, the path is the usual one. */
const embeddingsUrl = (value: string) => {
  const base = address(value)
  return new URL(base).pathname === '/' ? `${base}/v1/embeddings` : base
}

/** What may stand in a header. */
const bearerToken = (value: string) => {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new Error('must be ASCII without spaces')
  return value
}

/** Reads a key of 32 bytes in base64 or base64url. */
export const parseEncryptionKey = (value: string): Uint8Array => {
  const key = /^[\w+/-]{43}=?$/.test(value) ? Buffer.from(value, 'base64') : undefined
  if (key?.length !== 32) {
    throw new Error('must be 32 random bytes in base64, as `openssl rand -base64 32` makes them')
  }
  return key
}

const encryptionKeys = (value: string) =>
  value.split(',').map((key) => parseEncryptionKey(key.trim()))

const decimal = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  if (!/^\d+(\.\d+)?$/.test(value) || number < min || number > max) {
    throw new Error(`must be a number from ${min} to ${max}`)
  }
  return number
}

const redisUrl = (value: string) => {
  if (!/^rediss?:\/\/./.test(value)) throw new Error('must be redis://… or rediss://…')
  return value
}

/** Express's own forms, less `true`: trusting every hop lets a client choose its address. */
const trustProxy = (value: string): false | number | string[] => {
  if (value === 'off') return false
  if (/^[1-9]$/.test(value)) return Number(value)
  const names = value.split(',').map((name) => name.trim())
  const known = /^(loopback|linklocal|uniquelocal|[0-9a-f.:]+(\/\d{1,3})?)$/i
  if (!names.every((name) => known.test(name))) {
    throw new Error('must be off, a number of proxies from 1 to 9, or a list of their addresses')
  }
  return names
}

/** Every variable that the server knows. */
export const variables = {
  PORT: variable({ default: '3000', meaning: 'port to listen on', parse: integer(0, 65535) }),
  HOST: variable({ default: '127.0.0.1', meaning: 'address to listen on', parse: String }),
  NODE_ENV: variable({
    default: 'development',
    meaning: 'production makes no demo data, and wants https redirect addresses and webhooks',
    parse: oneOf('development', 'test', 'production'),
  }),
  DATABASE_URL: variable({
    default: 'file:./data/skillpass.db',
    meaning: 'SQLite file, or postgres://…',
    parse: databaseUrl,
    secret: true,
  }),
  ENCRYPTION_KEY: variable({
    default: undefined,
    meaning:
      'key of secrets at rest, 32 bytes in base64 (openssl rand -base64 32), the same on all nodes; outside production one is made and kept beside the database',
    parse: parseEncryptionKey,
    secret: true,
  }),
  ENCRYPTION_KEY_PREVIOUS: variable({
    default: undefined,
    meaning:
      'further keys that secrets may be sealed with, separated by commas, until `encryption rotate` is done',
    parse: encryptionKeys,
    secret: true,
  }),
  SNAPSHOT_DIR: variable({
    default: undefined,
    meaning:
      'folder that keeps the catalogue for a quick start, or off; beside the SQLite file, or in ./data, when absent',
    parse: String,
  }),
  SNAPSHOT_INTERVAL_SECONDS: variable({
    default: '900',
    meaning: 'time between two snapshots of a catalogue that changes',
    parse: integer(1, 86_400),
  }),
  REDIS_URL: variable({
    default: undefined,
    meaning: 'shares the rate limits of several nodes',
    parse: redisUrl,
    secret: true,
  }),
  BASE_URL: variable({
    default: undefined,
    meaning: 'public address of the registry; http://localhost:PORT when absent',
    parse: address,
  }),
  AUTH_URL: variable({
    default: undefined,
    meaning: 'public address of the authorization service; http://localhost:PORT when absent',
    parse: origin,
  }),
  API_URL: variable({
    default: undefined,
    meaning: 'public address of the resource API; http://localhost:PORT when absent',
    parse: address,
  }),
  SERVICES: variable({
    default: services.join(','),
    meaning: 'which of registry, oauth and platform this process serves',
    parse: serviceList,
  }),
  TRUST_PROXY: variable({
    default: 'off',
    meaning: 'proxies that may set the client address: off, a number of hops, or addresses',
    parse: trustProxy,
  }),
  RATE_LIMIT_READS_PER_MINUTE: variable({
    default: '60',
    meaning: 'reads per client address; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  }),
  RATE_LIMIT_WRITES_PER_MINUTE: variable({
    default: '20',
    meaning: 'writes per agent, all its API keys together; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  }),
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: variable({
    default: '5',
    meaning: 'registrations per client address; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  }),
  RATE_LIMIT_AUTHORIZE_PER_MINUTE: variable({
    default: '600',
    meaning:
      'openings of sign-in, consent and device pages, and device codes, per client address; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  }),
  RATE_LIMIT_RESOURCE_PER_MINUTE: variable({
    default: '6000',
    meaning: 'calls of the resource API per app and user; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  }),
  QUOTA_SKILLS_PER_DAY: variable({
    default: String(quotas.skills.limit),
    meaning: 'skills that an agent publishes in a UTC day; 0 switches the quota off',
    parse: integer(0, 1_000_000),
  }),
  QUOTA_VERSIONS_PER_DAY: variable({
    default: String(quotas.versions.limit),
    meaning:
      'versions that an agent publishes in a UTC day, first ones included; 0 switches the quota off',
    parse: integer(0, 1_000_000),
  }),
  QUOTA_BYTES_PER_DAY: variable({
    default: String(quotas.bytes.limit),
    meaning: 'bytes of text that an agent publishes in a UTC day; 0 switches the quota off',
    parse: integer(0, 1_000_000_000_000),
  }),
  QUOTA_NEW_WORDS_PER_DAY: variable({
    default: String(quotas.words.limit),
    meaning:
      'words that an agent publishes in a UTC day and no skill had before; 0 switches the quota off',
    parse: integer(0, 1_000_000_000),
  }),
  QUOTA_REPORTS_PER_DAY: variable({
    default: String(quotas.reports.limit),
    meaning: 'skills that an agent reports in a UTC day; 0 switches the quota off',
    parse: integer(0, 1_000_000),
  }),
  MAX_API_KEYS_PER_AGENT: variable({
    default: String(apiKeysPerAgent),
    meaning: 'API keys that an agent may have at a time; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  }),
  ACCESS_TOKEN_TTL_SECONDS: variable({
    default: '3600',
    meaning: 'life of an access token',
    parse: integer(1, 86_400),
  }),
  AUTHORIZATION_CODE_TTL_SECONDS: variable({
    default: '300',
    meaning: 'life of an authorization code',
    parse: integer(1, 3600),
  }),
  DEVICE_CODE_TTL_SECONDS: variable({
    default: '900',
    meaning: 'life of a device code',
    parse: integer(1, 86_400),
  }),
  DEVICE_POLL_INTERVAL_SECONDS: variable({
    default: '5',
    meaning: 'least time between two polls of a device; each one too soon adds 5 seconds',
    parse: integer(1, 300),
  }),
  REFRESH_TOKEN_TTL_DAYS: variable({
    default: '90',
    meaning: 'life of a refresh token',
    parse: integer(1, 3650),
  }),
  REFRESH_GRACE_SECONDS: variable({
    default: '0',
    meaning: 'time in which a used refresh token gives its successors once more',
    parse: integer(0, 60),
  }),
  AUTHORIZATION_RESPONSE_ISS: variable({
    default: 'off',
    meaning: 'on: the issuer comes along with a code (RFC 9207)',
    parse: onOff,
  }),
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: variable({
    default: undefined,
    meaning:
      'whether webhooks and checks of verification files reach loopback and private networks, any port and plain http; off in production, else on',
    parse: onOff,
  }),
  EMBEDDINGS_URL: variable({
    default: undefined,
    meaning:
      'OpenAI-compatible endpoint whose vectors order the best results of resolve again; /v1/embeddings when it has no path',
    parse: embeddingsUrl,
  }),
  EMBEDDINGS_MODEL: variable({
    default: undefined,
    meaning: 'model to ask EMBEDDINGS_URL for; needless where it has one alone',
    parse: String,
  }),
  EMBEDDINGS_API_KEY: variable({
    default: undefined,
    meaning: 'Bearer token for EMBEDDINGS_URL',
    parse: bearerToken,
    secret: true,
  }),
  EMBEDDINGS_TIMEOUT_MS: variable({
    default: '150',
    meaning:
      'longest that resolve waits for meaning, milliseconds; later it answers by words alone',
    parse: integer(1, 10_000),
  }),
  EMBEDDINGS_WEIGHT: variable({
    default: '0.5',
    meaning: 'how much meaning counts beside the ranking score; 0 keeps the order',
    parse: decimal(0, 10),
  }),
  HIDDEN_SKILL_STATUS: variable({
    default: '451',
    meaning: 'what a skill that the operator has hidden answers: 451 or 410',
    parse: oneOf('451', '410'),
  }),
  AUDIT_RETENTION_DAYS: variable({
    default: '365',
    meaning: 'how long the audit log keeps an entry',
    parse: integer(1, 36_500),
  }),
  VERIFICATION_FILE_URL: variable({
    default: 'https://raw.githubusercontent.com/{owner}/{repo}/HEAD/.well-known/skillpass.txt',
    meaning:
      'where the file that proves an imported repository is looked for; holds {owner} and {repo}',
    parse: fileTemplate,
  }),
  VERIFICATION_DNS_SERVERS: variable({
    default: undefined,
    meaning:
      "DNS servers that TXT records are asked of, as IP or IP:PORT; the system's when absent",
    parse: dnsServers,
  }),
  METRICS_TOKEN: variable({
    default: undefined,
    meaning:
      'Bearer token for /metrics; without it only this machine may read them, and not in production',
    parse: String,
    secret: true,
  }),
  LOG_LEVEL: variable({
    default: 'info',
    meaning: 'least level that is logged',
    parse: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  }),
} satisfies Record<string, Variable<unknown>>

type Variables = typeof variables
type Value<K extends keyof Variables> = ReturnType<Variables[K]['parse']>

/** A configuration that was checked. */
export interface Config {
  readonly environment: Value<'NODE_ENV'>
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  /** What secrets at rest are sealed with. */
  readonly encryption: {
    /** Undefined outside production alone, where a file holds it: see `openEncryption`. */
    readonly key: Uint8Array | undefined
    /** Keys of before, which are read with. */
    readonly previous: readonly Uint8Array[]
  }
  readonly snapshots: {
    /** As configured, `off` included; see `snapshotFolder`. */
    readonly folder: string | undefined
    /** Milliseconds. */
    readonly interval: number
  }
  readonly redisUrl: string | undefined
  /** Public address of the registry, without a slash at the end; never taken from a request. */
  readonly baseUrl: string
  /** Public address of the authorization service, its issuer; the same holds. */
  readonly authUrl: string
  /** Public address of the resource API. */
  readonly apiUrl: string
  readonly services: ReadonlySet<Service>
  readonly trustProxy: Value<'TRUST_PROXY'>
  readonly rateLimits: {
    readonly readsPerMinute: number
    readonly writesPerMinute: number
    readonly registrationsPerHour: number
    readonly authorizePerMinute: number
    readonly resourcePerMinute: number
  }
  /** What one agent may publish in a UTC day, and how many live API keys it may have; 0 is no limit. */
  readonly quotas: Readonly<Record<QuotaName, number>> & { readonly apiKeysPerAgent: number }
  /** Lives of what the authorization service issues, milliseconds. */
  readonly lifetimes: {
    readonly accessToken: number
    readonly authorizationCode: number
    readonly deviceCode: number
    readonly refreshToken: number
    /** How long a used refresh token gives its successors once more. */
    readonly refreshGrace: number
  }
  /** Least time between two polls of a device, seconds. */
  readonly pollInterval: number
  /** Whether `iss` comes along with a code. */
  readonly sendsIssuer: boolean
  /** Whether webhooks may go to this machine and its networks. */
  readonly allowsPrivateWebhooks: boolean
  /** What makes vectors of tasks and skills; nothing where resolve goes by words alone. */
  readonly embeddings:
    | {
        readonly url: string
        readonly model: string | undefined
        readonly apiKey: string | undefined
        /** Longest that resolve waits, ms. */
        readonly patience: number
        readonly weight: number
      }
    | undefined
  /** What a hidden skill answers. */
  readonly hiddenSkillStatus: Value<'HIDDEN_SKILL_STATUS'>
  /** How long the audit log keeps an entry, ms. */
  readonly auditRetention: number
  readonly verification: {
    /** Address of the file, with `{owner}` and `{repo}`. */
    readonly fileUrl: string
    /** Servers that TXT records are asked of; the system's when absent. */
    readonly dnsServers: readonly string[] | undefined
  }
  readonly metricsToken: string | undefined
  readonly logLevel: Value<'LOG_LEVEL'>
}

/** The environment as the table reads it: names to text. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads and checks the configuration; throws one sentence that names the first bad variable. */
export function loadConfig(environment: Environment = process.env): Config {
  const get = <K extends keyof Variables>(name: K): Value<K> => {
    const { default: byDefault, parse } = variables[name]
    const given = environment[name] || byDefault
    try {
      return (given === undefined ? undefined : parse(given)) as Value<K>
    } catch (error) {
      throw new Error(`${name} ${error instanceof Error ? error.message : String(error)}.`)
    }
  }
  const port = get('PORT')
  const encryptionKey = get('ENCRYPTION_KEY')
  if (encryptionKey === undefined && get('NODE_ENV') === 'production') {
    throw new Error(
      'ENCRYPTION_KEY must be set in production: make it with `openssl rand -base64 32`, keep it safe, and give all nodes the same.',
    )
  }
  const embeddings = {
    url: get('EMBEDDINGS_URL'),
    model: get('EMBEDDINGS_MODEL'),
    apiKey: get('EMBEDDINGS_API_KEY'),
    patience: get('EMBEDDINGS_TIMEOUT_MS'),
    weight: get('EMBEDDINGS_WEIGHT'),
  }
  return {
    environment: get('NODE_ENV'),
    host: get('HOST'),
    port,
    databaseUrl: get('DATABASE_URL'),
    encryption: { key: encryptionKey, previous: get('ENCRYPTION_KEY_PREVIOUS') ?? [] },
    snapshots: {
      folder: get('SNAPSHOT_DIR'),
      interval: get('SNAPSHOT_INTERVAL_SECONDS') * 1000,
    },
    redisUrl: get('REDIS_URL'),
    baseUrl: get('BASE_URL') ?? `http://localhost:${port}`,
    authUrl: get('AUTH_URL') ?? `http://localhost:${port}`,
    apiUrl: get('API_URL') ?? `http://localhost:${port}`,
    services: get('SERVICES'),
    trustProxy: get('TRUST_PROXY'),
    rateLimits: {
      readsPerMinute: get('RATE_LIMIT_READS_PER_MINUTE'),
      writesPerMinute: get('RATE_LIMIT_WRITES_PER_MINUTE'),
      registrationsPerHour: get('RATE_LIMIT_REGISTRATIONS_PER_HOUR'),
      authorizePerMinute: get('RATE_LIMIT_AUTHORIZE_PER_MINUTE'),
      resourcePerMinute: get('RATE_LIMIT_RESOURCE_PER_MINUTE'),
    },
    quotas: {
      skills: get('QUOTA_SKILLS_PER_DAY'),
      versions: get('QUOTA_VERSIONS_PER_DAY'),
      bytes: get('QUOTA_BYTES_PER_DAY'),
      words: get('QUOTA_NEW_WORDS_PER_DAY'),
      reports: get('QUOTA_REPORTS_PER_DAY'),
      apiKeysPerAgent: get('MAX_API_KEYS_PER_AGENT'),
    },
    lifetimes: {
      accessToken: get('ACCESS_TOKEN_TTL_SECONDS') * 1000,
      authorizationCode: get('AUTHORIZATION_CODE_TTL_SECONDS') * 1000,
      deviceCode: get('DEVICE_CODE_TTL_SECONDS') * 1000,
      refreshToken: get('REFRESH_TOKEN_TTL_DAYS') * 86_400_000,
      refreshGrace: get('REFRESH_GRACE_SECONDS') * 1000,
    },
    pollInterval: get('DEVICE_POLL_INTERVAL_SECONDS'),
    sendsIssuer: get('AUTHORIZATION_RESPONSE_ISS'),
    allowsPrivateWebhooks:
      get('WEBHOOK_ALLOW_PRIVATE_ADDRESSES') ?? get('NODE_ENV') !== 'production',
    embeddings: hasUrl(embeddings) ? embeddings : undefined,
    hiddenSkillStatus: get('HIDDEN_SKILL_STATUS'),
    auditRetention: get('AUDIT_RETENTION_DAYS') * 86_400_000,
    verification: {
      fileUrl: get('VERIFICATION_FILE_URL'),
      dnsServers: get('VERIFICATION_DNS_SERVERS'),
    },
    metricsToken: get('METRICS_TOKEN'),
    logLevel: get('LOG_LEVEL'),
  }
}

const hasUrl = <T extends { url: string | undefined }>(given: T): given is T & { url: string } =>
  given.url !== undefined

/** The configuration for people: name, value (secrets masked), default and meaning. */
export function describeConfig(environment: Environment = process.env) {
  return Object.entries(variables).map(([name, { default: byDefault, meaning, ...rest }]) => {
    const given = environment[name] || byDefault || ''
    const value = mask(given, 'secret' in rest)
    return { name, value, default: byDefault ?? '', meaning }
  })
}

const hidden = '********'

/** Parameters of a URL that open something: `password`, `sslpassword`, `api_key`, `access_token` … */
const secretParameter = /pass|pwd|secret|token|key|auth|credential/i

/**
 * Keeps what identifies a value and hides what opens it: password, secret parameters and fragment of a
 * URL, and all of any other secret. A value without such parts stays as it is.
 */
function mask(value: string, isSecret: boolean): string {
  if (value === '' || value.startsWith('file:')) return value
  if (!value.includes('://') || !URL.canParse(value)) return isSecret ? hidden : value
  const url = new URL(value)
  const names = new Set([...url.searchParams.keys()].filter((name) => secretParameter.test(name)))
  if (!url.password && !url.hash && names.size === 0) return value
  if (url.password) url.password = hidden
  if (url.hash) url.hash = hidden
  for (const name of names) url.searchParams.set(name, hidden)
  return url.href
}
