import { bounds } from '@skillpass/contract'
import { checkPublicAddress } from '../outbound/address.ts'

/** The characters of RFC 3986, less the asterisk: addresses are compared to the letter. */
const characters = /^[\w\-.~:/?#[\]@!$&'()+,;=%]+$/
const webAddress = /^https?:\/\/[^/?#]/i
const authorityWithUser = /^[^/?#]*\/\/[^/?#]*@/
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** A scheme that one installed app may have claimed, with a path behind it. */
const appAddress = /^[a-z][a-z\d+.-]{2,}:\//i

/** A scheme after a domain, which no system acts on and no other app has (RFC 8252 §7.1). */
const ownScheme = /^[a-z]+(\.[a-z\d+-]+)+:$/

/**
 * Whether an address has a scheme that only the operator registers. Systems act on more schemes than a list
 * can name (`applescript:`, `prefs:`, `sip:`), so developers get https, http and schemes after a domain.
 */
export function needsOperator(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol } = new URL(uri)
  return protocol !== 'https:' && protocol !== 'http:' && !ownScheme.test(protocol)
}

/** Schemes that not even the operator registers: browsers and shells act on them. */
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

/** What a redirect address is held to beside its form. */
export interface RedirectRules {
  /** Whether http is for this machine alone. */
  readonly production: boolean
  /** Whether the app has no secret, as an app that people install. */
  readonly publicClient: boolean
}

/** What is wrong with a redirect address, or nothing (RFC 6749 §3.1.2, RFC 8252 §7). */
export function checkRedirectUri(uri: string, rules: RedirectRules): string | undefined {
  const wrong = checkForm(uri)
  if (wrong) return wrong
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'https:' && protocol !== 'http:') return checkAppAddress(uri, protocol, rules)
  if (!webAddress.test(uri)) return 'must name a host'
  if (protocol === 'http:' && rules.production && !loopback.has(hostname)) {
    return 'must be https, save for 127.0.0.1, [::1] and localhost'
  }
  return undefined
}

/**
 * RFC 8252 §7.1: an installed app has a scheme of its own. One that is not after a domain may be another
 * app's too, which takes a public client, since that one must prove by PKCE that it asked for the code.
 */
function checkAppAddress(
  uri: string,
  protocol: string,
  { publicClient }: RedirectRules,
): string | undefined {
  if (systemSchemes.test(protocol)) return `must not be ${protocol}, which is no app's own scheme`
  if (ownScheme.test(protocol)) return undefined
  if (!publicClient) {
    return 'must be https; an installed app has a scheme after a domain (com.example.app:/callback), or is a public client whose scheme the operator registers (myapp://callback)'
  }
  return appAddress.test(uri)
    ? undefined
    : "must be https, or an installed app's own scheme with a slash (com.example.app:/callback)"
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
