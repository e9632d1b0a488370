import { apiKeysPerAgent, quotas } from '@skillpass/contract'
import {
  address,
  blobUrl,
  databaseUrl,
  dnsServers,
  encryptionKeys,
  fileTemplate,
  integer,
  oneOf,
  onOff,
  origin,
  parseEncryptionKey,
  redisUrl,
  ruleList,
  serviceList,
  services,
  trustProxy,
} from './checks.ts'

/** The environment as the table reads it: names to text. */
export type Environment = Readonly<Record<string, string | undefined>>

interface Variable<T> {
  /** What holds when the variable is absent or empty. */
  readonly default: string | undefined
  readonly meaning: string
  /** Reads the value; throws a sentence that says what is allowed. */
  readonly parse: (value: string) => T
  /** Masked wherever the configuration is printed. */
  readonly secret?: boolean
}

/** Every variable that the server knows. */
export const variables = {
  PORT: { default: '3000', meaning: 'port to listen on', parse: integer(0, 65535) },
  HOST: { default: '127.0.0.1', meaning: 'address to listen on', parse: String },
  NODE_ENV: {
    default: 'development',
    meaning:
      'production makes no demo data, and wants ENCRYPTION_KEY and https: for its own addresses, redirects and webhooks',
    parse: oneOf('development', 'test', 'production'),
  },
  DATABASE_URL: {
    default: 'file:./data/skillpass.db',
    meaning: 'SQLite file, or postgres://…',
    parse: databaseUrl,
    secret: true,
  },
  DATABASE_WAIT_SECONDS: {
    default: '30',
    meaning: 'how long a start waits for Postgres; 0 tries once',
    parse: integer(0, 3600),
  },
  DATABASE_POOL_SIZE: {
    default: '10',
    meaning: 'Postgres connections of one process at most; half of them read, half write',
    parse: integer(2, 1000),
  },
  ENCRYPTION_KEY: {
    default: undefined,
    meaning:
      'key of secrets at rest, 32 bytes in base64 (openssl rand -base64 32), the same on all nodes; outside production one is made and kept beside the database',
    parse: parseEncryptionKey,
    secret: true,
  },
  ENCRYPTION_KEY_PREVIOUS: {
    default: undefined,
    meaning:
      'further keys that secrets may be sealed with, separated by commas, until `encryption rotate` is done',
    parse: encryptionKeys,
    secret: true,
  },
  SNAPSHOT_DIR: {
    default: undefined,
    meaning:
      'folder that keeps the catalogue for a quick start, or off; beside the SQLite file, or in ./data, when absent',
    parse: String,
  },
  SNAPSHOT_INTERVAL_SECONDS: {
    default: '900',
    meaning: 'time between two snapshots of a catalogue that changes',
    parse: integer(1, 86_400),
  },
  REDIS_URL: {
    default: undefined,
    meaning: 'shares the rate limits of several nodes',
    parse: redisUrl,
    secret: true,
  },
  BLOB_URL: {
    default: undefined,
    meaning:
      'S3-compatible store for the files of skills, s3://KEY:SECRET@HOST/BUCKET[/PREFIX][?region=…&tls=off]; the database keeps them when absent',
    parse: blobUrl,
    secret: true,
  },
  BASE_URL: {
    default: undefined,
    meaning:
      'public address of the registry; http://localhost:PORT when absent, which production refuses',
    parse: address,
  },
  AUTH_URL: {
    default: undefined,
    meaning:
      'public address of the authorization service; http://localhost:PORT when absent, which production refuses',
    parse: origin,
  },
  API_URL: {
    default: undefined,
    meaning:
      'public address of the resource API; http://localhost:PORT when absent, which production refuses',
    parse: address,
  },
  SERVICES: {
    default: services.join(','),
    meaning: 'which of registry, oauth and platform this process serves',
    parse: serviceList,
  },
  TRUST_PROXY: {
    default: 'off',
    meaning: 'proxies that may set the client address: off, a number of hops, or addresses',
    parse: trustProxy,
  },
  RATE_LIMIT_READS_PER_MINUTE: {
    default: '60',
    meaning: 'reads per client address; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  },
  RATE_LIMIT_WRITES_PER_MINUTE: {
    default: '20',
    meaning: 'writes per agent, all its API keys together; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  },
  RATE_LIMIT_DOWNLOADS_PER_MINUTE: {
    default: '600',
    meaning:
      'files, archives and indexes that installers ask for, per client address; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  },
  RATE_LIMIT_UPLOADS_PER_MINUTE: {
    default: '1200',
    meaning: 'files that an agent uploads; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  },
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: {
    default: '5',
    meaning:
      'registrations per client address that succeed, and twelve times as many attempts; 0 switches the limits off',
    parse: integer(0, 1_000_000),
  },
  RATE_LIMIT_AUTHORIZE_PER_MINUTE: {
    default: '600',
    meaning:
      'openings of sign-in, consent and device pages, and device codes, per client address; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  },
  RATE_LIMIT_RESOURCE_PER_MINUTE: {
    default: '6000',
    meaning: 'calls of the resource API per app and user; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  },
  QUOTA_SKILLS_PER_DAY: {
    default: String(quotas.skills.limit),
    meaning: 'skills that an agent publishes in a UTC day; 0 switches the quota off',
    parse: integer(0, 1_000_000),
  },
  QUOTA_VERSIONS_PER_DAY: {
    default: String(quotas.versions.limit),
    meaning:
      'versions that an agent publishes in a UTC day, first ones included; 0 switches the quota off',
    parse: integer(0, 1_000_000),
  },
  QUOTA_BYTES_PER_DAY: {
    default: String(quotas.bytes.limit),
    meaning: 'bytes of text that an agent publishes in a UTC day; 0 switches the quota off',
    parse: integer(0, 1_000_000_000_000),
  },
  QUOTA_FILE_BYTES_PER_DAY: {
    default: String(quotas.files.limit),
    meaning: 'bytes of files that an agent uploads in a UTC day; 0 switches the quota off',
    parse: integer(0, 1_000_000_000_000),
  },
  QUOTA_NEW_WORDS_PER_DAY: {
    default: String(quotas.words.limit),
    meaning:
      'words that an agent publishes in a UTC day and no skill had before; 0 switches the quota off',
    parse: integer(0, 1_000_000_000),
  },
  QUOTA_REPORTS_PER_DAY: {
    default: String(quotas.reports.limit),
    meaning: 'skills that an agent reports in a UTC day; 0 switches the quota off',
    parse: integer(0, 1_000_000),
  },
  MAX_API_KEYS_PER_AGENT: {
    default: String(apiKeysPerAgent),
    meaning: 'API keys that an agent may have at a time; 0 switches the limit off',
    parse: integer(0, 1_000_000),
  },
  ACCESS_TOKEN_TTL_SECONDS: {
    default: '3600',
    meaning: 'life of an access token',
    parse: integer(1, 86_400),
  },
  AUTHORIZATION_CODE_TTL_SECONDS: {
    default: '300',
    meaning: 'life of an authorization code',
    parse: integer(1, 3600),
  },
  DEVICE_CODE_TTL_SECONDS: {
    default: '900',
    meaning: 'life of a device code',
    parse: integer(1, 86_400),
  },
  DEVICE_POLL_INTERVAL_SECONDS: {
    default: '5',
    meaning: 'least time between two polls of a device; each one too soon adds 5 seconds',
    parse: integer(1, 300),
  },
  REFRESH_TOKEN_TTL_DAYS: {
    default: '90',
    meaning: 'life of a refresh token',
    parse: integer(1, 3650),
  },
  REFRESH_GRACE_SECONDS: {
    default: '0',
    meaning: 'time in which a used refresh token gives its successors once more',
    parse: integer(0, 60),
  },
  AUTHORIZATION_RESPONSE_ISS: {
    default: 'off',
    meaning: 'on: the issuer comes along with a code (RFC 9207)',
    parse: onOff,
  },
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: {
    default: undefined,
    meaning:
      'whether webhooks and checks of verification files reach loopback and private networks, any port and plain http; off in production, else on',
    parse: onOff,
  },
  QUARANTINE_RULES: {
    default: undefined,
    meaning:
      'rules of the lint, separated by commas, whose findings keep a version out of resolve until it is answered for; too-intricate goes along',
    parse: ruleList,
  },
  QUARANTINE_RELEASED_BY: {
    default: 'publisher',
    meaning:
      "whose answer lets a version out of quarantine: publisher (or the operator's), or operator alone",
    parse: oneOf('publisher', 'operator'),
  },
  HIDDEN_SKILL_STATUS: {
    default: '451',
    meaning: 'what a skill that the operator has hidden answers: 451 or 410',
    parse: oneOf('451', '410'),
  },
  AUDIT_RETENTION_DAYS: {
    default: '365',
    meaning: 'how long the audit log keeps an entry',
    parse: integer(1, 36_500),
  },
  VERIFICATION_FILE_URL: {
    default: 'https://raw.githubusercontent.com/{owner}/{repo}/HEAD/.well-known/skillpass.txt',
    meaning:
      'where the file that proves an imported repository is looked for; holds {owner} and {repo}',
    parse: fileTemplate,
  },
  VERIFICATION_DNS_SERVERS: {
    default: undefined,
    meaning:
      "DNS servers that TXT records are asked of, as IP or IP:PORT; the system's when absent",
    parse: dnsServers,
  },
  ADMISSION_CONTROL: {
    default: 'on',
    meaning:
      'on: while too many requests wait, callers who have many are refused with 503; off where a load balancer does that',
    parse: onOff,
  },
  METRICS_TOKEN: {
    default: undefined,
    meaning:
      'Bearer token for /metrics; without it only this machine may read them, and not in production',
    parse: String,
    secret: true,
  },
  LOG_LEVEL: {
    default: 'info',
    meaning: 'least level that is logged',
    parse: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  },
} satisfies Record<string, Variable<unknown>>
