/** The hosts of native apps (RFC 8252 §7.3 and §8.3). */
export const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Whether the host of a parsed URL is the machine that reads it: also all of 127.0.0.0/8. */
export const isThisMachine = (hostname: string): boolean =>
  loopbackHosts.has(hostname) || /^127(\.\d+){3}$/.test(hostname)

/** Matches an http address as written, with its host as `$1`. */
const httpHost = /^http:\/\/([^/?#:@[]+|\[[^\]]*\])(:\d+)?(?=[/?]|$)/

/** Whether an http address is on the user's machine, where any program could receive a code. */
export const isLoopback = (uri: string): boolean => loopbackHosts.has(httpHost.exec(uri)?.[1] ?? '')

/** Whether two loopback addresses differ only in their ports (RFC 8252 §7.3). */
export const isSameLoopback = (one: string, other: string): boolean =>
  isLoopback(one) && URL.canParse(one) && withoutPort(one) === withoutPort(other)

const withoutPort = (uri: string) => uri.replace(httpHost, 'http://$1')

/** Whether a web address is on this machine. */
export const isOnLoopback = (url: string): boolean => isLoopback(url.replace(/^https:/, 'http:'))
