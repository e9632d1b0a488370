import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { RequestFilteringHttpsAgent } from 'request-filtering-agent'

/**
 * Connects to addresses of the internet alone. `fetch` would ignore it. Each connection is checked
 * with the very address that it goes to: a name that resolves to another the second time gains nothing.
 */
export const publicAgent = new RequestFilteringHttpsAgent({
  // Metadata service of a cloud, at an address that looks like any other.
  denyIPAddressList: ['168.63.129.16'],
})

/** All of IPv6 that has been given out (RFC 4291 §2.4); what lies below it holds IPv4 in disguise. */
const internetV6 = new BlockList()
internetV6.addSubnet('2000::', 3, 'ipv6')

const refusal = 'leads-inside'

/** A look-up for that agent: it refuses what the agent takes for an address of the internet. */
export const publicLookup =
  (lookup: LookupFunction = systemLookup): LookupFunction =>
  (host, options, callback) => {
    lookup(host, options, (error, address, family) => {
      const found =
        typeof address === 'string' ? [address] : (address ?? []).map((one) => one.address)
      const isInside = found.some((one) => isIPv6(one) && !internetV6.check(one, 'ipv6'))
      const refused = Object.assign(new Error(refusal), { code: refusal })
      callback(error ?? (isInside ? refused : null), address, family)
    })
  }

/** Whether a request failed because its host leads inside. */
export function isInsideError(error: Error): boolean {
  // The words of request-filtering-agent, which has no codes.
  return error.message === refusal || /is not allowed\. Because/.test(error.message)
}
