import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { RequestFilteringHttpsAgent } from 'request-filtering-agent'

/**
 * Connects only to public addresses. It checks the address of each connection, which prevents DNS
 * rebinding. `fetch` would ignore this agent.
 */
export const publicAgent = new RequestFilteringHttpsAgent({
  // Azure's metadata service, which has a public address.
  denyIPAddressList: ['168.63.129.16'],
})

/** All allocated public IPv6 addresses (RFC 4291 §2.4). Lower ranges embed IPv4 addresses. */
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')

const refusal = 'leads-inside'

/** Wraps a lookup to refuse IPv6 addresses that the agent wrongly treats as public. */
export const publicLookup =
  (lookup: LookupFunction = systemLookup): LookupFunction =>
  (host, options, callback) => {
    lookup(host, options, (error, address, family) => {
      const found =
        typeof address === 'string' ? [address] : (address ?? []).map((one) => one.address)
      const isInside = found.some((one) => isIPv6(one) && !publicV6.check(one, 'ipv6'))
      const refused = Object.assign(new Error(refusal), { code: refusal })
      callback(error ?? (isInside ? refused : null), address, family)
    })
  }

/** Whether a request failed because the host has a private address. */
export function isPrivateAddressError(error: Error): boolean {
  // request-filtering-agent has no error codes, so match its message.
  return error.message === refusal || /is not allowed\. Because/.test(error.message)
}
