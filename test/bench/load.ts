import autocannon, { type Request } from 'autocannon'

/** One request to repeat. */
export interface LoadRequest {
  path: string
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  /** Creates the path of each request. */
  createPath?: () => string
  /** Creates the body of each request. */
  body?: () => string
}

export interface LoadResult {
  perSecond: number
  p50: number
  p99: number
  /** Number of responses outside 2xx and of errors. */
  failed: number
}

/**
 * Sends the requests over `connections` keep-alive connections for `seconds`. Each connection
 * cycles through its share of them.
 */
export async function load(
  url: string,
  requests: readonly LoadRequest[],
  { connections = 32, seconds = 4 }: { connections?: number; seconds?: number } = {},
): Promise<LoadResult> {
  const sent: Request[] = requests.map(
    ({ path, method = 'GET', headers = {}, createPath, body }) => ({
      path,
      method,
      headers,
      ...(createPath && { setupRequest: (request) => ({ ...request, path: createPath() }) }),
      ...(body && { setupRequest: (request) => ({ ...request, body: body() }) }),
    }),
  )
  const share = Math.ceil(sent.length / connections)
  let connection = 0
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    // With all requests here, each connection would prepare them all during the measurement.
    requests: sent.slice(0, 1),
    setupClient(client) {
      const first = Math.floor((connection++ * sent.length) / connections)
      const own = Array.from(
        { length: share },
        (_, i) => sent[(first + i) % sent.length] as Request,
      )
      client.setRequests(own)
    },
  })
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
