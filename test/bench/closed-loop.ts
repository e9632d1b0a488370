import { Agent, type RequestOptions, request } from 'node:http'
import type { LoadResult } from './load.ts'

/** Sends a request and returns its answer. */
export type Ask = (
  url: string,
  options?: RequestOptions,
  body?: string,
) => Promise<{ status: number; text: string }>

/**
 * Keep-alive connections, each of which sends its next request when the last is answered, and ends with
 * an answer. Unlike autocannon's, its times are finer than a millisecond.
 */
export async function closedLoop(
  { connections, seconds }: { connections: number; seconds: number },
  send: (ask: Ask, connection: number) => Promise<boolean>,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const ask: Ask = (url, options, body) => answerOf(url, { ...options, agent }, body)
  const times: number[] = []
  let failed = 0
  const begun = performance.now()
  const end = begun + seconds * 1000
  const run = async (connection: number) => {
    while (performance.now() < end) {
      const start = performance.now()
      if (!(await send(ask, connection))) failed++
      times.push(performance.now() - start)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, (_, connection) => run(connection)))
  } finally {
    agent.destroy()
  }
  const passed = (performance.now() - begun) / 1000
  return { ...percentiles(times), perSecond: times.length / passed, failed }
}

function answerOf(url: string, options: RequestOptions, body?: string): ReturnType<Ask> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.once('error', reject)
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** The value that half, and 99 of a hundred, do not exceed. */
export function percentiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}
