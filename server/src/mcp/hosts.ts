import type { Request } from 'express'
import type { Config } from '../config/config.ts'

/** Names by which programs on the same computer reach the server. */
const loopback = ['localhost', '127.0.0.1', '[::1]']

/**
 * Whether a request was sent to this service by its own name, and by a program or by a page of this
 * service. Otherwise a page that rebinds its host name to a local server could call it.
 */
export function isFromOwnHost({ config }: { config: Config }, { headers }: Request): boolean {
  const own = [config.baseUrl, config.authUrl, config.apiUrl].map((url) => new URL(url).hostname)
  const isOwn = (url: string) =>
    URL.canParse(url) && [...own, ...loopback].includes(new URL(url).hostname)
  const { host = '', origin } = headers
  return isOwn(`http://${host}`) && (origin === undefined || isOwn(origin))
}
