import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'

/** The parts of a request that identify the client. */
export interface ClientSource {
  readonly ip?: string | undefined
  readonly socket?: { readonly remoteAddress?: string | undefined }
}

/**
 * Returns the rate-limit key of a client's address. IPv6 addresses share a key per /56, the
 * smallest network that providers assign to a customer. IPv4-mapped addresses count as IPv4. If a
 * proxy forwards an invalid address, the proxy's address counts.
 */
export const clientAddress = (req: ClientSource): string => {
  const { ip } = req
  return ip !== undefined && isIPv4(ip) ? ip : limitKey(plainAddress(req) ?? 'unknown')
}

/**
 * Returns the client's network, see `networkOf`. Returns undefined for loopback, which identifies
 * no client: it is development, or a proxy that `TRUST_PROXY` does not cover.
 */
export function clientNetwork(req: ClientSource): string | undefined {
  const plain = plainAddress(req)
  const key = limitKey(plain ?? 'unknown')
  const isAnonymous = key === 'unknown' || key.startsWith('127.') || plain === '::1'
  return isAnonymous ? undefined : networkOf(key)
}

/** Headers that proxies add. Not every proxy sends X-Forwarded-For. */
const addedByProxies = /^(forwarded|via|x-forwarded-.+|.+-(client|connecting|real)-ip|x-real-ip)$/

/** Whether a request comes from loopback and no proxy has marked it as forwarded. */
export const isFromThisMachine = ({ headers, socket }: IncomingMessage): boolean =>
  /^(::1|(::ffff:)?127\.)/.test(socket.remoteAddress ?? '') &&
  !Object.keys(headers).some((name) => addedByProxies.test(name))

const plainAddress = ({ ip, socket }: ClientSource) =>
  parseAddress(ip) ?? parseAddress(socket?.remoteAddress)

/**
 * Removes the port, brackets and zone that some proxies add. Returns undefined for an invalid
 * address.
 */
function parseAddress(text = ''): string | undefined {
  const [, inBrackets, v4] = /^(?:\[(.+)\]|([^:]+))(?::\d+)?$/.exec(text) ?? []
  const [address = ''] = (inBrackets ?? v4 ?? text).split('%')
  return isIP(address) === 0 ? undefined : address
}

/** Returns the rate-limit key of an address without port and brackets. */
function limitKey(address: string): string {
  if (!address.includes(':')) return address
  const groups = groupsOf(address)
  const [a = 0, b = 0, c = 0, d = 0, , , g = 0, h = 0] = groups
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535'
  if (isMapped) return [g >> 8, g & 0xff, h >> 8, h & 0xff].join('.')
  // 56 bits are three groups and the upper byte of the fourth.
  return `${[a, b, c, d & 0xff00].map((group) => group.toString(16)).join(':')}::/56`
}

/** Parses the eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser converts a trailing IPv4 address to two groups.
  const { hostname } = new URL(`http://[${address.split('%')[0]}]`)
  const [left = [], right = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').flatMap((group) => (group ? [Number.parseInt(group, 16)] : [])))
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

/**
 * Returns the network of a rate-limit key: /24 for IPv4, /48 for IPv6. One person can easily
 * control neighboring addresses, so use the network where readers or attempts must be independent.
 */
export function networkOf(key: string): string {
  const ipv4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(key)
  if (ipv4) return `${ipv4[1]}.0/24`
  const ipv6 = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):/.exec(key)
  return ipv6 ? `${ipv6[1]}::/48` : key
}
