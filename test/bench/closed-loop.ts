import { Agent, type RequestOptions, request } from 'node:http'
import type { LoadResult } from './load.ts'

/** Sends a request and returns the response. */
export type Send = (
  url: string,
  options?: RequestOptions,
  body?: string,
) => Promise<{ status: number; text: string }>

/**
 * Measures requests over keep-alive connections. Each connection sends its next request after the
 * response to the previous one. Unlike autocannon, it measures fractions of a millisecond.
 */
export async function closedLoop(
  { connections, seconds }: { connections: number; seconds: number },
  sendNext: (send: Send, connection: number) => Promise<boolean>,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send: Send = (url, options, body) => responseOf(url, { ...options, agent }, body)
  const times: number[] = []
  let failed = 0
  const startTime = performance.now()
  const end = startTime + seconds * 1000
  const run = async (connection: number) => {
    while (performance.now() < end) {
      const start = performance.now()
      if (!(await sendNext(send, connection))) failed++
      times.push(performance.now() - start)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, (_, connection) => run(connection)))
  } finally {
    agent.destroy()
  }
  const elapsedSeconds = (performance.now() - startTime) / 1000
  return { ...percentiles(times), perSecond: times.length / elapsedSeconds, failed }
}

function responseOf(url: string, options: RequestOptions, body?: string): ReturnType<Send> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('error', reject)
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

export function percentiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}
