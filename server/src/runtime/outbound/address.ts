import { isIP } from 'node:net'

/** Lower ports are refused except 443, because other services use them (22, 25, 53, 110 …). */
const firstUnprivilegedPort = 1024

/** Host names that are only valid in a local network (RFC 6761, RFC 6762, RFC 8375). */
const localNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|arpa|alt|onion)$/

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
