import { z } from 'zod'
import {
  address,
  blobUrl,
  databaseUrl,
  dnsServers,
  encryptionKeys,
  factor,
  fileTemplate,
  integer,
  oneOf,
  onOff,
  origin,
  redisUrl,
  ruleList,
  serviceList,
  trustProxy,
} from './checks.ts'

/** The environment as the table reads it: names to text. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Masked wherever the configuration is printed. */
const secret = (description: string) => ({ description, secret: true })

const count = integer(0, 1_000_000)

/** Every variable that the server knows: check, default and meaning. An empty value counts as absent. */
export const variables = {
  PORT: integer(0, 65535).prefault('3000').describe('port to listen on'),
  HOST: z.string().prefault('127.0.0.1').describe('address to listen on'),
  NODE_ENV: oneOf('development', 'test', 'production')
    .prefault('development')
    .describe(
      'production makes no demo data, and wants ENCRYPTION_KEY and https: for its own addresses, redirects and webhooks',
    ),
  DATABASE_URL: databaseUrl
    .prefault('file:./data/skillpass.db')
    .meta(secret('SQLite file, or postgres://…')),
  DATABASE_POOL_SIZE: integer(2, 1000)
    .prefault('10')
    .describe('Postgres connections of one process at most; half of them read, half write'),
  ENCRYPTION_KEY: encryptionKeys
    .optional()
    .meta(
      secret(
        'key of secrets at rest, 32 bytes in base64 (openssl rand -base64 32), the same on all nodes; former keys may follow it, separated by commas, until `encryption rotate` is done; outside production one is made and kept beside the database',
      ),
    ),
  SNAPSHOT_DIR: z
    .string()
    .optional()
    .describe(
      'folder that keeps the catalogue for a quick start, or off; beside the SQLite file, or in ./data, when absent',
    ),
  REDIS_URL: redisUrl.optional().meta(secret('shares the rate limits of several nodes')),
  BLOB_URL: blobUrl
    .optional()
    .meta(
      secret(
        'S3-compatible store for the files of skills, s3://KEY:SECRET@HOST/BUCKET[/PREFIX][?region=…&tls=off]; the database keeps them when absent',
      ),
    ),
  BASE_URL: address
    .optional()
    .describe(
      'public address of the registry; http://localhost:PORT when absent, which production refuses',
    ),
  AUTH_URL: origin
    .optional()
    .describe(
      'public address of the authorization service; http://localhost:PORT when absent, which production refuses',
    ),
  API_URL: address
    .optional()
    .describe(
      'public address of the resource API; http://localhost:PORT when absent, which production refuses',
    ),
  SERVICES: serviceList
    .prefault('registry,oauth,platform')
    .describe('which of registry, oauth and platform this process serves'),
  TRUST_PROXY: trustProxy
    .prefault('off')
    .describe('proxies that may set the client address: off, a number of hops, or addresses'),
  RATE_LIMIT_READS_PER_MINUTE: count
    .prefault('60')
    .describe('reads per client address; 0 switches the limit off'),
  RATE_LIMIT_WRITES_PER_MINUTE: count
    .prefault('20')
    .describe(
      'writes per agent, all its API keys together, and sixty times as many uploads of files; 0 switches the limits off',
    ),
  RATE_LIMIT_DOWNLOADS_PER_MINUTE: count
    .prefault('600')
    .describe(
      'files, archives and indexes that installers ask for, per client address; 0 switches the limit off',
    ),
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: count
    .prefault('5')
    .describe(
      'registrations per client address that succeed, and twelve times as many attempts; 0 switches the limits off',
    ),
  RATE_LIMIT_AUTHORIZE_PER_MINUTE: count
    .prefault('600')
    .describe(
      'openings of sign-in, consent and device pages, and device codes, per client address; 0 switches the limit off',
    ),
  RATE_LIMIT_RESOURCE_PER_MINUTE: count
    .prefault('6000')
    .describe('calls of the resource API per app and user; 0 switches the limit off'),
  QUOTA_FACTOR: factor
    .prefault('1')
    .describe(
      'multiplies the daily quotas of an agent and the number of its API keys; 0 switches them off',
    ),
  ACCESS_TOKEN_TTL_SECONDS: integer(1, 86_400).prefault('3600').describe('life of an access token'),
  AUTHORIZATION_CODE_TTL_SECONDS: integer(1, 3600)
    .prefault('300')
    .describe('life of an authorization code'),
  DEVICE_CODE_TTL_SECONDS: integer(1, 86_400).prefault('900').describe('life of a device code'),
  DEVICE_POLL_INTERVAL_SECONDS: integer(1, 300)
    .prefault('5')
    .describe('least time between two polls of a device; each one too soon adds 5 seconds'),
  REFRESH_TOKEN_TTL_DAYS: integer(1, 3650).prefault('90').describe('life of a refresh token'),
  REFRESH_GRACE_SECONDS: integer(0, 60)
    .prefault('0')
    .describe('time in which a used refresh token gives its successors once more'),
  AUTHORIZATION_RESPONSE_ISS: onOff
    .prefault('off')
    .describe('on: the issuer comes along with a code (RFC 9207)'),
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: onOff
    .optional()
    .describe(
      'whether webhooks and checks of verification files reach loopback and private networks, any port and plain http; off in production, else on',
    ),
  QUARANTINE_RULES: ruleList
    .optional()
    .describe(
      'rules of the lint, separated by commas, whose findings keep a version out of resolve until it is answered for; too-intricate goes along',
    ),
  AUDIT_RETENTION_DAYS: integer(1, 36_500)
    .prefault('365')
    .describe('how long the audit log keeps an entry'),
  VERIFICATION_FILE_URL: fileTemplate
    .prefault('https://raw.githubusercontent.com/{owner}/{repo}/HEAD/.well-known/skillpass.txt')
    .describe(
      'where the file that proves an imported repository is looked for; holds {owner} and {repo}',
    ),
  VERIFICATION_DNS_SERVERS: dnsServers
    .optional()
    .describe(
      "DNS servers that TXT records are asked of, as IP or IP:PORT; the system's when absent",
    ),
  METRICS_TOKEN: z
    .string()
    .optional()
    .meta(
      secret(
        'Bearer token for /metrics; without it only this machine may read them, and not in production',
      ),
    ),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')
    .prefault('info')
    .describe('least level that is logged'),
}
