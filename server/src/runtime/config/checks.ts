import { isUtf8 } from 'node:buffer'
import { isIP } from 'node:net'
import { quarantineRules } from '@skillpass/contract'
import { z } from 'zod'

/** A check that parses text with `read`, which returns undefined if the text violates the rule. */
const text = <T>(rule: string, read: (value: string) => T | undefined) =>
  z.string().transform((value, ctx): T => {
    const result = read(value)
    if (result !== undefined) return result
    ctx.addIssue(rule)
    return z.NEVER
  })

export function integer(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d+$/, rule)
    .transform(Number)
    .pipe(z.int(rule).min(min, rule).max(max, rule))
}

export const factor = text('must be a number from 0 to 1000000', (value) => {
  const number = Number(value)
  return /^\d+(\.\d+)?$/.test(value) && number <= 1_000_000 ? number : undefined
})

export const oneOf = <const T extends readonly string[]>(...allowed: T) =>
  z.enum(allowed, `must be one of ${allowed.join(', ')}`)

/** Parses a list of the allowed words, separated by commas. */
const someOf = <const T extends readonly string[]>(...allowed: T) =>
  z
    .string()
    .transform((value) => value.split(',').map((word) => word.trim()))
    .pipe(z.array(oneOf(...allowed)))
    .transform((words): ReadonlySet<T[number]> => new Set(words))

const services = ['registry', 'oauth', 'platform'] as const

export type ServiceName = (typeof services)[number]

export const serviceList = someOf(...services)

/** Lint rules. `too-intricate` is always included, since such a text may violate any of them. */
export const ruleList = someOf(...quarantineRules).transform(
  (rules): ReadonlySet<string> => new Set([...rules, 'too-intricate']),
)

export const onOff = z.stringbool({
  truthy: ['on', 'true', '1'],
  falsy: ['off', 'false', '0'],
  error: 'must be on or off; true, false, 1 and 0 work too',
})

const parseUrl = (value: string) => (URL.canParse(value) ? new URL(value) : undefined)
const isWeb = (url: URL | undefined): url is URL => /^https?:$/.test(url?.protocol ?? '')

export const address = text(
  'must be an http or https address without query, fragment or credentials',
  (value) => {
    const url = parseUrl(value)
    const isPlain = isWeb(url) && !url.search && !url.hash && !url.username
    return isPlain ? value.replace(/\/+$/, '') : undefined
  },
)

/** An email address, or the address of a page. */
export const contact = text(
  'must be an email address, or an http or https address without query or credentials',
  (value) => (z.email().safeParse(value).success ? value : address.safeParse(value).data),
)

/** An address without a path, which cookies and RFC 8414 require. */
export const origin = address.refine(
  (value) => new URL(value).pathname === '/',
  'must be an address without a path',
)

/** An address with placeholders for the owner and the repository. */
export const fileTemplate = text(
  'must be an http or https address whose path contains {owner} and {repo}',
  (value) => {
    const sample = value.replaceAll('{owner}', 'owner').replaceAll('{repo}', 'repo')
    const hasBoth = value.includes('{owner}') && value.includes('{repo}')
    // A placeholder in the host would let a claimant choose the server.
    const isInHost = /^[^/]*\/\/[^/]*[{]/.test(value)
    return isWeb(parseUrl(sample)) && hasBoth && !isInHost ? value : undefined
  },
)

export const dnsServers = text(
  'must be a list of IP addresses, separated by commas, with a port unless it is 53',
  (value) => {
    const servers = value.split(',').map((server) => server.trim())
    const isServer = (server: string) => {
      const [, host = ''] = /^\[?([0-9a-f.:]+?)\]?(?::\d{1,5})?$/i.exec(server) ?? []
      return isIP(host) > 0 || isIP(server) > 0
    }
    return servers.every(isServer) ? servers : undefined
  },
)

/** `true`, `false`, or hosts with their ports. */
export const documentHosts = text(
  'must be on, off, or a list of hosts, separated by commas',
  (value): boolean | readonly string[] | undefined => {
    const isOn = onOff.safeParse(value)
    if (isOn.success) return isOn.data
    const hosts = value.split(',').map((host) => host.trim().toLowerCase())
    return hosts.every((host) => parseUrl(`https://${host}`)?.host === host) ? hosts : undefined
  },
)

export const issuerList = text(
  'must be a list of addresses, separated by commas',
  (value): readonly string[] | undefined => {
    const issuers = value.split(',').map((issuer) => issuer.trim())
    return issuers.every((issuer) => /^https?:$/.test(parseUrl(issuer)?.protocol ?? ''))
      ? issuers
      : undefined
  },
)

export const databaseUrl = z
  .string()
  .regex(/^(file:.|postgres(ql)?:\/\/.)/, 'must be file:PATH or postgres://…')

export const redisUrl = z.string().regex(/^rediss?:\/\/./, 'must be redis://… or rediss://…')

/** The address and credentials of a bucket in an S3-compatible store. */
export type ObjectStoreAddress = z.output<typeof blobUrl>

export const blobUrl = text(
  'must be s3://KEY:SECRET@HOST/BUCKET, optionally followed by a path',
  (value) => {
    const url = parseUrl(value)
    const [bucket = '', ...prefix] = url?.pathname.slice(1).split('/').filter(Boolean) ?? []
    if (url?.protocol !== 's3:' || !url.host || !bucket || !url.username || !url.password) return
    const scheme = url.searchParams.get('tls') === 'off' ? 'http' : 'https'
    return {
      /** Address of the bucket, without a trailing slash. */
      url: `${scheme}://${url.host}/${bucket}`,
      /** Prefix of every key: empty, or with a trailing slash. */
      prefix: prefix.map((segment) => `${segment}/`).join(''),
      region: url.searchParams.get('region') ?? 'us-east-1',
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    }
  },
)

/** Parses a key of 32 bytes in base64 or base64url. Returns undefined if it is invalid. */
export function parseEncryptionKey(value: string): Uint8Array | undefined {
  const key = /^[\w+/-]{43}=?$/.test(value) ? Buffer.from(value, 'base64') : undefined
  return key?.length === 32 ? key : undefined
}

/**
 * Whether a key is not random: text, as bytes or as letters of base64, a repetition, or a pattern.
 * A random key has about 30 different bytes, and steps between them; 1 in 100 million is valid
 * text.
 */
function isGuessable(key: Uint8Array, base64: string): boolean {
  const steps = new Set(key.map((byte, at) => byte - (key[at - 1] ?? byte)))
  const isText = isUtf8(key) || !/[A-Z]/.test(base64) || !/[a-z]/.test(base64)
  const repeats = (period: number) => key.every((byte, at) => byte === key[at % period])
  return (
    isText ||
    Math.min(new Set(key).size, steps.size) < 9 ||
    Array.from({ length: 16 }, (_, at) => at + 1).some(repeats)
  )
}

export const encryptionKeys = text(
  'must be 32 random bytes in base64 (run `openssl rand -base64 32`), not a word or a pattern, or several keys separated by commas, of which the first must be random',
  (value) => {
    const keys = value.split(',').flatMap((key) => parseEncryptionKey(key.trim()) ?? [])
    const [current] = keys
    const [first = ''] = value.split(',')
    // The later keys only decrypt, so that a guessable key can be replaced.
    if (!current || isGuessable(current, first)) return undefined
    return keys.length === value.split(',').length ? keys : undefined
  },
)

/** The forms that Express accepts, except `true`, which would let a client choose its address. */
export const trustProxy = text(
  'must be off, a number of proxies from 1 to 9, or a list of their addresses',
  (value): false | number | string[] | undefined => {
    if (/^(off|false|0)$/i.test(value)) return false
    if (/^[1-9]$/.test(value)) return Number(value)
    const names = value.split(',').map((name) => name.trim())
    const known = /^(loopback|linklocal|uniquelocal|[0-9a-f.:]+(\/\d{1,3})?)$/i
    return names.every((name) => known.test(name)) ? names : undefined
  },
)
