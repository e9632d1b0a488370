import autocannon, { type Request } from 'autocannon'

/** One request to repeat. */
export interface LoadRequest {
  path: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Makes the body of each request anew. */
  body?: () => string
}

export interface LoadResult {
  perSecond: number
  p50: number
  p99: number
  /** Answers outside 2xx, and errors. */
  failed: number
}

/**
 * Sends the requests in turn over `connections` keep-alive connections for `seconds`. Each begins at
 * another of them, so that hardly any is sent again before all others were.
 */
export async function load(
  url: string,
  requests: readonly LoadRequest[],
  { connections = 32, seconds = 4 }: { connections?: number; seconds?: number } = {},
): Promise<LoadResult> {
  const sent: Request[] = requests.map(({ path, method = 'GET', headers = {}, body }) => ({
    path,
    method,
    headers,
    ...(body && { setupRequest: (request) => ({ ...request, body: body() }) }),
  }))
  let connection = 0
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: sent,
    setupClient(client) {
      const first = Math.floor((connection++ * sent.length) / connections) % sent.length
      client.setRequests([...sent.slice(first), ...sent.slice(0, first)])
    },
  })
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}

/** The middle of some numbers. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
