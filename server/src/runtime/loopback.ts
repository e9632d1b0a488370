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
