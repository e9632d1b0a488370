import { bounds } from '@skillpass/contract'
import { checkPublicAddress } from '../outbound/address.ts'

/** The characters of RFC 3986, less the asterisk: addresses are compared to the letter. */
const characters = /^[\w\-.~:/?#[\]@!$&'()+,;=%]+$/
const webAddress = /^https?:\/\/[^/?#]/i
const authorityWithUser = /^[^/?#]*\/\/[^/?#]*@/
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * What is wrong with a redirect address, or nothing (RFC 6749 §3.1.2, RFC 8252 §7). http is for this
 * machine alone when `production`.
 */
export function checkRedirectUri(uri: string, production: boolean): string | undefined {
  const wrong = checkForm(uri)
  if (wrong) return wrong
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'https:' && protocol !== 'http:') {
    // RFC 8252 §7.1: the dot tells an app's own scheme from those that browsers act on.
    return protocol.includes('.')
      ? undefined
      : 'must be https, or the private scheme of an app with a dot in it (com.example.app:/path)'
  }
  if (!webAddress.test(uri)) return 'must name a host'
  if (protocol === 'http:' && production && !loopback.has(hostname)) {
    return 'must be https, save for 127.0.0.1, [::1] and localhost'
  }
  return undefined
}

/**
 * What is wrong with the address of an app's webhook, or nothing. Unless the operator `allowsPrivate`
 * ones, it is https and leads out of this network (see `outbound/address.ts`).
 */
export function checkDeauthorizationUrl(url: string, allowsPrivate: boolean): string | undefined {
  const wrong = checkForm(url)
  if (wrong) return wrong
  if (!webAddress.test(url)) return 'must be an https address'
  return allowsPrivate ? undefined : checkPublicAddress(new URL(url))
}

function checkForm(uri: string): string | undefined {
  if (uri.length > bounds.webAddress) {
    return `must not be longer than ${bounds.webAddress} characters`
  }
  if (!characters.test(uri)) return 'must be ASCII, percent-encoded, without spaces and wildcards'
  if (!URL.canParse(uri)) return 'must be an absolute address'
  if (uri.includes('#')) return 'must not have a fragment'
  return authorityWithUser.test(uri) ? 'must not hold a user name' : undefined
}

/** The origin by which browsers tell a site: scheme, host and port; the scheme of a private address. */
export function originOf(uri: string): string {
  const { origin, protocol } = new URL(uri)
  return origin === 'null' ? protocol : origin
}
