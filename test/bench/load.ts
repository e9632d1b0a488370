import autocannon from 'autocannon'

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

/** Sends the requests in turn over `connections` keep-alive connections for `seconds`. */
export async function load(
  url: string,
  requests: readonly LoadRequest[],
  { connections = 32, seconds = 4 }: { connections?: number; seconds?: number } = {},
): Promise<LoadResult> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: requests.map(({ path, method = 'GET', headers = {}, body }) => ({
      path,
      method,
      headers,
      ...(body && { setupRequest: (request) => ({ ...request, body: body() }) }),
    })),
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
