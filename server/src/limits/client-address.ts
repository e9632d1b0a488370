import { isIP, isIPv4 } from 'node:net'

/** What of a request says where it comes from. */
export interface FromClient {
  readonly ip?: string | undefined
  readonly socket?: { readonly remoteAddress?: string | undefined }
}

/**
 * The address that a client is counted by. IPv6 counts by /56, since one customer holds at least
 * that much; an IPv4 address mapped into IPv6 counts as itself. Where what a proxy passes on is no
 * address, the proxy's own counts.
 */
export const clientAddress = (req: FromClient): string => {
  const { ip } = req
  return ip !== undefined && isIPv4(ip) ? ip : addressKey(plainAddress(req) ?? 'unknown')
}

/**
 * The network that a client comes from, as `networkOf` tells it. Undefined for loopback, which says
 * nothing of who is behind it: development, or a proxy that `TRUST_PROXY` does not name.
 */
export function clientNetwork(req: FromClient): string | undefined {
  const plain = plainAddress(req)
  const address = addressKey(plain ?? 'unknown')
  const tellsNothing = address === 'unknown' || address.startsWith('127.') || plain === '::1'
  return tellsNothing ? undefined : networkOf(address)
}

const plainAddress = ({ ip, socket }: FromClient) => bare(ip) ?? bare(socket?.remoteAddress)

/** An address without port, brackets and zone, which some proxies write; undefined for what is none. */
function bare(text = ''): string | undefined {
  const [, inBrackets, v4] = /^(?:\[(.+)\]|([^:]+))(?::\d+)?$/.exec(text) ?? []
  const [address = ''] = (inBrackets ?? v4 ?? text).split('%')
  return isIP(address) === 0 ? undefined : address
}

/** Folds an address, without port and brackets, into the network it is counted by. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const groups = groupsOf(address)
  const [a = 0, b = 0, c = 0, d = 0, , , g = 0, h = 0] = groups
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535'
  if (isMapped) return [g >> 8, g & 0xff, h >> 8, h & 0xff].join('.')
  // The fourth group's upper byte ends the 56 bits.
  return `${[a, b, c, d & 0xff00].map((group) => group.toString(16)).join(':')}::/56`
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The parser of URLs writes an IPv4 address at the end as two groups.
  const { hostname } = new URL(`http://[${address.split('%')[0]}]`)
  const [left = [], right = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').flatMap((group) => (group ? [Number.parseInt(group, 16)] : [])))
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

/**
 * The network of an address that `addressKey` folded: IPv4 by /24, IPv6 by /48. Whoever holds one
 * address easily holds its neighbours, so these count as one where independence matters.
 */
export function networkOf(address: string): string {
  const ipv4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address)
  if (ipv4) return `${ipv4[1]}.0/24`
  const ipv6 = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):/.exec(address)
  return ipv6 ? `${ipv6[1]}::/48` : address
}
