import { bounds } from '@skillpass/contract'
import { loopbackHosts } from '../runtime/loopback.ts'
import { checkPublicAddress } from '../runtime/outbound/address.ts'

/** Characters of RFC 3986 without the asterisk. Addresses are compared character by character. */
const characters = /^[\w\-.~:/?#[\]@!$&'()+,;=%]+$/
const webAddress = /^https?:\/\/[^/?#]/i
const authorityWithUser = /^[^/?#]*\/\/[^/?#]*@/

/** A private-use scheme followed by a path. */
const privateUseAddress = /^[a-z][a-z\d+.-]{2,}:\//i

/** A reverse-domain scheme, `com.example.app:`, which no system handles (RFC 8252 §7.1). */
const reverseDomainScheme = /^[a-z]+(\.[a-z\d+-]+)+:$/

/**
 * Whether only the operator may register an address with this scheme. Systems handle more schemes
 * than a list can name (`applescript:`, `prefs:`, `sip:`), so developers may use only https, http
 * and reverse-domain schemes.
 */
export function needsOperator(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol } = new URL(uri)
  return protocol !== 'https:' && protocol !== 'http:' && !reverseDomainScheme.test(protocol)
}

/** Schemes that nobody can register, because browsers or shells act on them. */
const systemSchemes = new RegExp(
  `^(${[
    'javascript|vbscript|livescript|jscript|mocha',
    'data|blob|about|file|filesystem|content|jar|mhtml|mk|res|resource|view-source|feed|cid|mid',
    'wss?|ftps?|sftp|ssh|telnet|ldaps?|gopher|nntp|news|smb|nfs|afp|rtsp|ircs?|git|urn',
    'mailto|tel|sms|callto|facetime|intent|android-app|market|itms|shell|search|hcp|help',
    '(chrome|devtools|edge|microsoft-edge|opera|brave|moz|safari|x-apple|ms|search-ms|itms)-.*',
    'chrome|devtools|edge|opera|brave|microsoft-edge|search-ms',
  ].join('|')}):$`,
)

/** Rules for redirect URIs that depend on the app and the server. */
interface RedirectRules {
  /** Whether http is allowed only for loopback addresses. */
  readonly production: boolean
  /** Whether the app has no secret, like an installed app. */
  readonly publicClient: boolean
}

/** Returns the problem with a redirect URI, or undefined (RFC 6749 §3.1.2, RFC 8252 §7). */
export function checkRedirectUri(uri: string, rules: RedirectRules): string | undefined {
  const problem = checkForm(uri)
  if (problem) return problem
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'https:' && protocol !== 'http:') return checkAppAddress(uri, protocol, rules)
  if (!webAddress.test(uri)) return 'must name a host'
  if (protocol === 'http:' && rules.production && !loopbackHosts.has(hostname)) {
    return 'must be https, except for 127.0.0.1, [::1] and localhost'
  }
  return undefined
}

/**
 * Checks the scheme of an installed app (RFC 8252 §7.1). Another app may claim a scheme that is not
 * a reverse domain name, so such a scheme requires a public client, which must use PKCE.
 */
function checkAppAddress(uri: string, protocol: string, { publicClient }: RedirectRules) {
  if (systemSchemes.test(protocol)) return `must not have the reserved scheme ${protocol}`
  if (reverseDomainScheme.test(protocol)) return undefined
  if (!publicClient) {
    return 'must be https or a reverse-domain scheme (com.example.app:/callback); the operator can register another scheme (myapp://callback) for a public client'
  }
  return privateUseAddress.test(uri)
    ? undefined
    : 'must be https or a private-use scheme with a slash (com.example.app:/callback)'
}

/**
 * Returns the problem with a webhook address, or undefined. Unless the operator allows private
 * addresses, it must be https and public (see `runtime/outbound/address.ts`).
 */
export function checkDeauthorizationUrl(url: string, allowsPrivate: boolean): string | undefined {
  const problem = checkForm(url)
  if (problem) return problem
  if (!webAddress.test(url)) return 'must be an https address'
  return allowsPrivate ? undefined : checkPublicAddress(new URL(url))
}

function checkForm(uri: string): string | undefined {
  if (uri.length > bounds.webAddress) {
    return `must not be longer than ${bounds.webAddress} characters`
  }
  if (!characters.test(uri)) return 'must be ASCII and percent-encoded, without spaces or wildcards'
  if (!URL.canParse(uri)) return 'must be an absolute address'
  if (uri.includes('#')) return 'must not have a fragment'
  return authorityWithUser.test(uri) ? 'must not contain a user name' : undefined
}
