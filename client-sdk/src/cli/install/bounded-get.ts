import { readRegistryError } from '../../error-responses.ts'
import { errorOf } from '../../response.ts'
import { type HttpResponse, readUpTo, send, type Transport } from '../../transport.ts'
import { printable } from '../command.ts'

/** Settings of a bounded GET request. */
export interface BoundedGet {
  /** Maximum number of bytes of the response body. */
  readonly limit: number
  readonly accept: string
  readonly transport: Transport
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
  const { limit, accept, transport, redirects = false, method = 'GET' } = reading
  const request = {
    name: `${method} ${url}`,
    method,
    url,
    headers: new Headers({ accept, 'accept-encoding': 'identity' }),
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
