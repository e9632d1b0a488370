import { isIP } from 'node:net'

/** Lower ports are refused except 443, because other services use them (22, 25, 53, 110 …). */
const firstUnprivilegedPort = 1024

/** Host names that are only valid in a local network (RFC 6761, RFC 6762, RFC 8375). */
const localNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|arpa|alt|onion)$/

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether the host of a parsed URL is the machine that reads the URL. */
export const isLoopbackHost = (hostname: string): boolean => loopbackHost.test(hostname)

/** Matches an http address as written, with its host as `$1`. */
const httpHost = /^http:\/\/([^/?#:@[]+|\[[^\]]*\])(:\d+)?(?=[/?]|$)/

/** Whether an http address is on the user's machine, where any program could receive a code. */
export const isLoopback = (uri: string): boolean => isLoopbackHost(httpHost.exec(uri)?.[1] ?? '')

/** Whether two loopback addresses differ only in their ports (RFC 8252 §7.3). */
export const isSameLoopback = (one: string, other: string): boolean =>
  isLoopback(one) && URL.canParse(one) && withoutPort(one) === withoutPort(other)

const withoutPort = (uri: string) => uri.replace(httpHost, 'http://$1')

/** Whether a web address is on this machine. */
export const isOnLoopback = (url: string): boolean => isLoopback(url.replace(/^https:/, 'http:'))

/**
 * Returns the problem with an address that must be on the public internet, or undefined. The host
 * name may still resolve to a private address, so connections check the resolved address again.
 */
export function checkPublicAddress(url: URL): string | undefined {
  if (url.protocol !== 'https:') return 'must be https'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name'
  const port = Number(url.port || 443)
  if (port !== 443 && port < firstUnprivilegedPort) return 'must use port 443, or 1024 or higher'
  // The URL parser has normalized other spellings of IPv4 addresses (hexadecimal, octal).
  const host = url.hostname.replace(/\.$/, '')
  if (host.startsWith('[') || isIP(host) !== 0) return 'must have a host name, not an IP address'
  if (!host.includes('.') || localNames.test(host)) return 'must have a public host name'
  return undefined
}
