import { isIP } from 'node:net'

/** Below it only 443: what listens there is not a webhook's receiver (22, 25, 53, 110 …). */
const firstFreePort = 1024

/** Names that mean something in a network of its own only (RFC 6761, RFC 6762, RFC 8375). */
const localNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|arpa|alt|onion)$/

/**
 * What is wrong with an address that webhooks are to reach over the internet, or nothing. A name may
 * still lead inside, so that what it resolves to is checked again when connecting.
 */
export function checkPublicAddress(url: URL): string | undefined {
  if (url.protocol !== 'https:') return 'must be https'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name'
  const port = Number(url.port || 443)
  if (port !== 443 && port < firstFreePort) return 'must have port 443, or one from 1024 on'
  // The parser has turned every spelling of an IPv4 address (hexadecimal, octal, one number) into one.
  const host = url.hostname.replace(/\.$/, '')
  if (host.startsWith('[') || isIP(host) !== 0) return 'must name its host, not its number'
  if (!host.includes('.') || localNames.test(host)) return 'must name a host of the internet'
  return undefined
}
