import { Agent, get } from 'node:http'
import { percentiles } from '../percentiles.ts'
import type { Asked } from '../requests/read-requests.ts'

/** Times are milliseconds from sending a request to the last byte of its answer. */
export interface LoopResult {
  p50: number
  p99: number
  perSecond: number
}

/**
 * Asks for the paths in turn over keep-alive connections, each of which sends its next request when
 * the last is answered. Unlike autocannon's, its times are finer than a millisecond. Throws at an
 * answer other than 200.
 */
export async function closedLoop(
  url: string,
  { paths, anew = (path) => path }: Asked,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<LoopResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let next = 0
  const begun = performance.now()
  const end = begun + seconds * 1000
  const worker = async () => {
    while (performance.now() < end) {
      const path = anew(paths[next++ % paths.length] ?? '')
      const start = performance.now()
      await ask(agent, url + path)
      times.push(performance.now() - start)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, worker))
  } finally {
    agent.destroy()
  }
  const passed = (performance.now() - begun) / 1000
  return { ...percentiles(times), perSecond: times.length / passed }
}

function ask(agent: Agent, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent }, (answer) => {
      answer.resume()
      answer.once('error', reject)
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve()
        else reject(new Error(`${answer.statusCode} from ${url.slice(0, 80)}`))
      })
    })
    sent.once('error', reject)
  })
}
