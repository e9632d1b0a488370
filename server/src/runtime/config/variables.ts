import { label } from '@skillpass/contract'
import { z } from 'zod'
import {
  address,
  blobUrl,
  contact,
  databaseUrl,
  dnsServers,
  documentHosts,
  encryptionKeys,
  factor,
  fileTemplate,
  integer,
  issuerList,
  oneOf,
  onOff,
  origin,
  redisUrl,
  ruleList,
  serviceList,
  trustProxy,
} from './checks.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Metadata of a variable that is masked wherever the configuration is printed. */
const secret = (description: string) => ({ description, secret: true })

const count = integer(0, 1_000_000)

/** All variables with check, default and description. An empty value counts as unset. */
export const variables = {
  PORT: integer(0, 65535).prefault('3000').describe('port to listen on'),
  HOST: z.string().prefault('127.0.0.1').describe('address to listen on'),
  NODE_ENV: oneOf('development', 'test', 'production')
    .prefault('development')
    .describe(
      'development creates demo data, and has no rate limits for requests from this machine unless a RATE_LIMIT_… variable is set; production requires ENCRYPTION_KEY and https for its own addresses, redirects and webhooks',
    ),
  DATABASE_URL: databaseUrl
    .prefault('file:./data/skillpass.db')
    .meta(secret('file:PATH for SQLite, or postgres://…')),
  DATABASE_POOL_SIZE: integer(2, 1000)
    .prefault('10')
    .describe('maximum Postgres connections per process, half for reads and half for writes'),
  ENCRYPTION_KEY: encryptionKeys
    .optional()
    .meta(
      secret(
        'key that encrypts stored secrets: 32 bytes in base64 (openssl rand -base64 32), the same on all nodes; during a rotation, the previous keys follow, separated by commas; outside production, a missing key is generated and stored beside the database',
      ),
    ),
  SNAPSHOT_DIR: z
    .string()
    .optional()
    .describe(
      'folder of the catalogue snapshot, which makes starts faster, or off; default: beside the SQLite file, with Postgres in ./data',
    ),
  REDIS_URL: redisUrl
    .optional()
    .meta(secret('Redis in which nodes share rate limits; default: each process counts alone')),
  BLOB_URL: blobUrl
    .optional()
    .meta(
      secret(
        'S3-compatible store for the files of skills, s3://KEY:SECRET@HOST/BUCKET[/PREFIX][?region=…&tls=off]; default: the database',
      ),
    ),
  BASE_URL: address
    .optional()
    .describe(
      'public address of the registry; required in production, otherwise the default is http://localhost:PORT',
    ),
  AUTH_URL: origin
    .optional()
    .describe(
      'public address of the authorization service; required in production, otherwise the default is http://localhost:PORT',
    ),
  API_URL: address
    .optional()
    .describe(
      'public address of the resource API; required in production, otherwise the default is http://localhost:PORT',
    ),
  SERVICES: serviceList
    .prefault('registry,oauth,platform')
    .describe('services of this process: registry, oauth, platform'),
  SIGN_UP: oneOf('open', 'closed')
    .optional()
    .describe(
      'open lets everybody create an account on the sign-in page; default: closed in production, otherwise open',
    ),
  REGISTRATION: oneOf('open', 'invited', 'closed')
    .prefault('open')
    .describe(
      'who may register agents: everybody (open), who has a code of an organization or of skillpass-server agent invite (invited), or nobody (closed)',
    ),
  OPERATOR_NAME: label(100)
    .optional()
    .describe('your name or that of your company, shown in the footer and in refusals'),
  OPERATOR_CONTACT: contact
    .optional()
    .describe('where people reach you: an email address, or the address of a page'),
  TRUST_PROXY: trustProxy
    .prefault('off')
    .describe('proxies trusted to set the client address: off, a number of hops, or addresses'),
  RATE_LIMIT_READS_PER_MINUTE: count
    .prefault('60')
    .describe('reads per client address; 0 disables the limit'),
  RATE_LIMIT_WRITES_PER_MINUTE: count
    .prefault('20')
    .describe(
      'writes per agent, over all its API keys; file uploads get sixty times as many; 0 disables both limits',
    ),
  RATE_LIMIT_DOWNLOADS_PER_MINUTE: count
    .prefault('600')
    .describe(
      'downloads of files, archives and installer indexes per client address; 0 disables the limit',
    ),
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: count
    .prefault('5')
    .describe(
      'successful registrations per client address; attempts get twelve times as many, reports of readers twice as many; 0 disables these limits',
    ),
  RATE_LIMIT_AUTHORIZE_PER_MINUTE: count
    .prefault('600')
    .describe(
      'requests for sign-in, consent and device pages and for device codes, per client address; 0 disables the limit',
    ),
  RATE_LIMIT_RESOURCE_PER_MINUTE: count
    .prefault('6000')
    .describe('resource API requests per app and user; 0 disables the limit'),
  QUOTA_FACTOR: factor
    .prefault('1')
    .describe(
      'factor for the daily quotas and the number of API keys of an agent; 0 disables them',
    ),
  ACCESS_TOKEN_TTL_SECONDS: integer(1, 86_400)
    .prefault('3600')
    .describe('lifetime of an access token'),
  AUTHORIZATION_CODE_TTL_SECONDS: integer(1, 3600)
    .prefault('300')
    .describe('lifetime of an authorization code'),
  DEVICE_CODE_TTL_SECONDS: integer(1, 86_400).prefault('900').describe('lifetime of a device code'),
  DEVICE_POLL_INTERVAL_SECONDS: integer(1, 300)
    .prefault('5')
    .describe('minimum time between two polls of a device; each early poll adds 5 seconds'),
  REFRESH_TOKEN_TTL_DAYS: integer(1, 3650).prefault('90').describe('lifetime of a refresh token'),
  REFRESH_GRACE_SECONDS: integer(0, 60)
    .prefault('0')
    .describe(
      'time in which reusing a refresh token returns the same new tokens; 0 rejects every reuse',
    ),
  AUTHORIZATION_RESPONSE_ISS: onOff
    .prefault('off')
    .describe('on adds the issuer to authorization responses (RFC 9207)'),
  CLIENT_ID_DOCUMENTS: documentHosts
    .prefault('on')
    .describe(
      'whether a client id can be the https address of a document that describes the client: on, off, or the allowed hosts, separated by commas',
    ),
  DYNAMIC_CLIENT_REGISTRATION: onOff
    .optional()
    .describe(
      'on lets clients register themselves as unverified public clients (RFC 7591); default: off, in development on for clients on loopback',
    ),
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: onOff
    .optional()
    .describe(
      'on lets webhooks and checks of verification files use private addresses, any port and plain http, and off keeps client documents off loopback in development; default: off in production, otherwise on',
    ),
  QUARANTINE_RULES: ruleList
    .optional()
    .describe(
      'lint rules, separated by commas, whose findings quarantine a version: resolve omits it until its publisher or an operator answers; too-intricate is always included',
    ),
  AUDIT_RETENTION_DAYS: integer(1, 36_500)
    .prefault('365')
    .describe('age at which entries of the audit log are deleted'),
  VERIFICATION_FILE_URL: fileTemplate
    .prefault('https://raw.githubusercontent.com/{owner}/{repo}/HEAD/.well-known/skillpass.txt')
    .describe(
      'address of the file that proves the ownership of an imported repository; must contain {owner} and {repo}',
    ),
  VERIFICATION_DNS_SERVERS: dnsServers
    .optional()
    .describe(
      "DNS servers for TXT records, as IP or IP:PORT, separated by commas; default: the system's",
    ),
  TRUSTED_ISSUERS: issuerList
    .prefault('https://token.actions.githubusercontent.com,https://gitlab.com')
    .describe(
      'issuers whose OIDC tokens jobs may exchange for API keys (trusted publishing), separated by commas',
    ),
  METRICS_TOKEN: z
    .string()
    .optional()
    .meta(
      secret(
        'bearer token for /metrics; without it, /metrics is closed in production and open to this machine otherwise',
      ),
    ),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')
    .prefault('info')
    .describe('minimum level of log entries'),
}

/** Returns the name, value (secrets masked), default and meaning of every variable. */
export function describeConfig(environment: Environment) {
  return Object.entries(variables).map(([name, variable]) => {
    const { description: meaning = '', secret } = variable.meta() ?? {}
    const byDefault = variable instanceof z.ZodPrefault ? String(variable.def.defaultValue) : ''
    const value = mask(environment[name] || byDefault, secret === true)
    return { name, value, default: byDefault, meaning }
  })
}

const hidden = '********'

/** Names of secret URL parameters: `password`, `sslpassword`, `api_key`, `access_token` … */
const secretParameter = /pass|pwd|secret|token|key|auth|credential/i

/** Masks the password, secret parameters and fragment of a URL, and any other secret whole. */
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
