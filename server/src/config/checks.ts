import { isIP } from 'node:net'
import { quarantineRules } from '@skillpass/contract'

/** Reads of variables: each gives the value, or throws a sentence that says what is allowed. */

export const integer = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new Error(`must be a whole number from ${min} to ${max}`)
  }
  return number
}

export const oneOf =
  <const T extends string>(...allowed: T[]) =>
  (value: string): T => {
    const found = allowed.find((item) => item === value)
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`)
    return found
  }

export const address = (value: string) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new Error('must be an http or https address without query, fragment and credentials')
  }
  return value.replace(/\/+$/, '')
}

/** An address that paths are put behind, as cookies and RFC 8414 need it. */
export const origin = (value: string) => {
  const base = address(value)
  if (new URL(base).pathname !== '/') throw new Error('must be an address without a path')
  return base
}

export const services = ['registry', 'oauth', 'platform'] as const

/** One of the three services of this build. */
export type ServiceName = (typeof services)[number]

export const serviceList = (value: string): ReadonlySet<ServiceName> =>
  new Set(value.split(',').map((name) => oneOf(...services)(name.trim())))

/** An address with a place for the owner and one for the repository. */
export const fileTemplate = (value: string) => {
  const sample = value.replaceAll('{owner}', 'owner').replaceAll('{repo}', 'repo')
  const url = URL.canParse(sample) ? new URL(sample) : undefined
  const isWhole = value.includes('{owner}') && value.includes('{repo}')
  // In the host they would let a claim choose where the request goes.
  if (!url || !/^https?:$/.test(url.protocol) || !isWhole || /^[^/]*\/\/[^/]*[{]/.test(value)) {
    throw new Error('must be an http or https address whose path holds {owner} and {repo}')
  }
  return value
}

export const dnsServers = (value: string): string[] => {
  const servers = value.split(',').map((server) => server.trim())
  for (const server of servers) {
    const [, host = ''] = /^\[?([0-9a-f.:]+?)\]?(?::\d{1,5})?$/i.exec(server) ?? []
    if (isIP(host) === 0 && isIP(server) === 0) {
      throw new Error('must be a list of IP addresses, each with a port where it is not 53')
    }
  }
  return servers
}

/** Rules of the lint. What was too intricate to be searched may hold any of them. */
export const ruleList = (value: string): ReadonlySet<string> => {
  const rules = value.split(',').map((rule) => oneOf(...quarantineRules)(rule.trim()))
  return new Set([...rules, 'too-intricate'])
}

const switches = new Map([
  ['on', true],
  ['true', true],
  ['1', true],
  ['off', false],
  ['false', false],
  ['0', false],
])

/** A switch, in any of the three ways that people write one. */
export const onOff = (value: string): boolean => {
  const isOn = switches.get(value.toLowerCase())
  if (isOn === undefined) throw new Error('must be on or off; true, false, 1 and 0 are taken too')
  return isOn
}

export const databaseUrl = (value: string) => {
  if (!/^(file:.|postgres(ql)?:\/\/.)/.test(value)) {
    throw new Error('must be file:PATH or postgres://…')
  }
  return value
}

/** A bucket of an S3-compatible store, and how it is reached. */
export interface ObjectStoreAddress {
  /** Address of the bucket, without a slash at the end. */
  readonly url: string
  /** What every key begins with; empty, or with a slash at its end. */
  readonly prefix: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export const blobUrl = (value: string): ObjectStoreAddress => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const [bucket = '', ...prefix] = url?.pathname.slice(1).split('/').filter(Boolean) ?? []
  const { username, password, host = '', searchParams } = url ?? {}
  if (url?.protocol !== 's3:' || !host || !bucket || !username || !password) {
    throw new Error('must be s3://KEY:SECRET@HOST/BUCKET, with a path behind it if you want')
  }
  const scheme = searchParams?.get('tls') === 'off' ? 'http' : 'https'
  return {
    url: `${scheme}://${host}/${bucket}`,
    prefix: prefix.map((segment) => `${segment}/`).join(''),
    region: searchParams?.get('region') ?? 'us-east-1',
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  }
}

/** Reads a key of 32 bytes in base64 or base64url. */
export const parseEncryptionKey = (value: string): Uint8Array => {
  const key = /^[\w+/-]{43}=?$/.test(value) ? Buffer.from(value, 'base64') : undefined
  if (key?.length !== 32) {
    throw new Error('must be 32 random bytes in base64, as `openssl rand -base64 32` makes them')
  }
  return key
}

export const encryptionKeys = (value: string) =>
  value.split(',').map((key) => parseEncryptionKey(key.trim()))

export const redisUrl = (value: string) => {
  if (!/^rediss?:\/\/./.test(value)) throw new Error('must be redis://… or rediss://…')
  return value
}

/** Express's own forms, less `true`: trusting every hop lets a client choose its address. */
export const trustProxy = (value: string): false | number | string[] => {
  if (switches.get(value.toLowerCase()) === false) return false
  if (/^[1-9]$/.test(value)) return Number(value)
  const names = value.split(',').map((name) => name.trim())
  const known = /^(loopback|linklocal|uniquelocal|[0-9a-f.:]+(\/\d{1,3})?)$/i
  if (!names.every((name) => known.test(name))) {
    throw new Error('must be off, a number of proxies from 1 to 9, or a list of their addresses')
  }
  return names
}
