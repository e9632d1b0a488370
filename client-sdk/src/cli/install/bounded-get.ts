import { type Client, registryConnection } from '../../client.ts'
import { readRegistryError } from '../../error-responses.ts'
import { errorOf } from '../../response.ts'
import { type HttpResponse, readUpTo, send, type Transport } from '../../transport.ts'
import { printable } from '../command.ts'

/** How to send requests to registries, and the API key for each. */
export interface KeyedTransport extends Transport {
  keyOf(registry: string): string | undefined
}

/** Returns the transport of a client. Other registries than its own get the keys of `others`. */
export function keyedTransport(
  client: Client,
  others: KeyedTransport['keyOf'] = () => undefined,
): KeyedTransport {
  const { address, apiKey, transport } = registryConnection(client)
  const keyOf = (registry: string) => (registry === address ? apiKey : others(registry))
  return { ...transport, keyOf }
}

/** Settings of a bounded GET request. */
export interface BoundedGet {
  /** Address of the registry, to which its key is sent. */
  readonly registry: string
  /** Maximum number of bytes of the response body. */
  readonly limit: number
  readonly accept: string
  readonly transport: KeyedTransport
  /** Whether to return a redirect instead of throwing. Default: false. */
  readonly redirects?: boolean
  /** Default: GET. */
  readonly method?: 'GET' | 'HEAD' | undefined
}

/** Maximum number of bytes of an error response. */
const maxErrorBytes = 64 * 1024

/**
 * Sends a GET request that follows no redirect and reads at most `limit` bytes, since the registry
 * is not trusted. Returns a 200 response, or a redirect if `redirects` is set. Throws for any other
 * status.
 */
export async function boundedGet(url: string, reading: BoundedGet): Promise<HttpResponse> {
  const { registry, limit, accept, transport, redirects = false, method = 'GET' } = reading
  const key = transport.keyOf(registry)
  const request = {
    name: `${method} ${url}`,
    method,
    url,
    headers: new Headers({
      accept,
      'accept-encoding': 'identity',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    }),
    body: undefined,
    repeatable: true,
    redirect: 'manual',
  } as const
  const response = await send(transport, request, {}, (open) =>
    readUpTo(open, open.status === 200 ? limit : maxErrorBytes),
  )
  const { status } = response
  const isRedirect = status >= 300 && status < 400
  if (status === 200 || (isRedirect && redirects)) return response
  throw isRedirect
    ? redirectError(url, response)
    : errorOf(request.name, response, readRegistryError)
}

export function redirectError(url: string, { headers }: Pick<HttpResponse, 'headers'>): Error {
  const where = printable(headers.get('location') ?? 'nowhere')
  return new Error(`${url} redirects to ${where}, which is not allowed.`)
}
