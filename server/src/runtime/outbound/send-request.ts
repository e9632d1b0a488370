import { lookup as systemLookup } from 'node:dns'
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { RequestFilteringHttpsAgent } from 'request-filtering-agent'
import { errorCode } from '../../errors/error-code.ts'
import { checkPublicAddress } from './address.ts'

/** Time limit of a request, from the name lookup to the end of the response, ms. */
const responseTimeout = 3000

const maxResponseBytes = 64 * 1024

const anyHttp = new HttpAgent()
const anyHttps = new HttpsAgent()

interface OutboundRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON to post. Without a body, the request is a GET. */
  readonly body?: string
  /** Whether private addresses and http are allowed. */
  readonly allowsPrivate: boolean
  readonly signal?: AbortSignal | undefined
  /** Replaces the system's name lookup. */
  readonly lookup?: LookupFunction | undefined
  /** Time limit, ms. The default is 3 s. */
  readonly timeout?: number
  /** Bytes of the response that are read. The default is 64 KiB. */
  readonly maxBytes?: number
}

export type OutboundResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly bytes: Buffer<ArrayBuffer>
      readonly text: string
      /** Whether the body is longer than `text`. */
      readonly isCut: boolean
    }
  /** Nothing was sent, because the address is private. */
  | { readonly kind: 'not-allowed'; readonly reason: string }
  /** No response, or none in time. */
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Sends a POST or GET request. Does not follow redirects. By default, reads at most 64 KiB of the
 * response and takes at most 3 s. Does not throw.
 */
export function sendRequest(request: OutboundRequest): Promise<OutboundResult> {
  const { allowsPrivate } = request
  if (!URL.canParse(request.url)) return notAllowed('This is not a valid address.')
  const url = new URL(request.url)
  const issue = allowsPrivate ? undefined : checkPublicAddress(url)
  if (issue !== undefined) return notAllowed(`The address ${issue}.`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return notAllowed('The address must be http or https.')
  return new Promise((resolve) => send(request, url, resolve))
}

const notAllowed = async (reason: string): Promise<OutboundResult> => ({
  kind: 'not-allowed',
  reason,
})

function send(
  { headers, body, allowsPrivate, signal, lookup, ...limits }: OutboundRequest,
  url: URL,
  resolve: (result: OutboundResult) => void,
) {
  const { timeout = responseTimeout, maxBytes = maxResponseBytes } = limits
  const isHttps = url.protocol === 'https:'
  const anyAgent = isHttps ? anyHttps : anyHttp
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const request = (isHttps ? httpsRequest : httpRequest)(url, {
    method: bytes ? 'POST' : 'GET',
    agent: allowsPrivate ? anyAgent : publicAgent,
    headers: {
      ...(bytes && { 'Content-Type': 'application/json', 'Content-Length': bytes.length }),
      'User-Agent': 'Skillpass/1',
      ...headers,
    },
    lookup: allowsPrivate ? lookup : publicLookup(lookup),
  })
  const end = (result: OutboundResult) => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    resolve(result)
    request.destroy()
  }
  const fail = (reason: string) => end({ kind: 'failed', reason })
  const timer = setTimeout(
    () => fail(`The endpoint did not respond completely within ${timeout / 1000} seconds.`),
    timeout,
  )
  const onAbort = () => fail('The attempt was aborted.')
  signal?.addEventListener('abort', onAbort)
  request.on('error', (error) => end(explain(error)))
  request.on('response', (response) => {
    const chunks: Buffer[] = []
    let length = 0
    const finish = () => {
      const bytes = Buffer.concat(chunks).subarray(0, maxBytes)
      const { statusCode: status = 0, headers } = response
      const text = bytes.toString('utf8')
      end({ kind: 'answered', status, headers, bytes, text, isCut: length > maxBytes })
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      // The status is known, so stop reading.
      if (length > maxBytes) finish()
    })
    response.on('end', finish)
    response.on('error', () => fail('The connection was closed before the end of the response.'))
  })
  if (signal?.aborted) onAbort()
  else request.end(bytes)
}

/** Messages for common errors. Others may contain private addresses. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response.',
  EPIPE: 'The connection was closed before a response.',
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be resolved.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  ETIMEDOUT: 'The connection timed out.',
  EPROTO: 'The TLS handshake failed.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is self-signed.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate cannot be verified.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host.',
}

function explain(error: Error): OutboundResult {
  if (isPrivateAddressError(error)) {
    return { kind: 'not-allowed', reason: 'The host resolves to a private address.' }
  }
  const code = errorCode(error)
  const isNotHttp = code.startsWith('HPE_')
  const reason =
    reasons[code] ?? (isNotHttp ? 'The response is not HTTP.' : 'The connection failed.')
  return { kind: 'failed', reason }
}

/**
 * Connects only to public addresses. It checks the address of each connection, which prevents DNS
 * rebinding. `fetch` would ignore this agent.
 */
const publicAgent = new RequestFilteringHttpsAgent({
  // Azure's metadata service, which has a public address.
  denyIPAddressList: ['168.63.129.16'],
})

/** All allocated public IPv6 addresses (RFC 4291 §2.4). Lower ranges embed IPv4 addresses. */
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')

const refusal = 'leads-inside'

/** Wraps a lookup to refuse IPv6 addresses that the agent wrongly treats as public. */
const publicLookup =
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
function isPrivateAddressError(error: Error): boolean {
  // request-filtering-agent has no error codes, so match its message.
  return error.message === refusal || /is not allowed\. Because/.test(error.message)
}
