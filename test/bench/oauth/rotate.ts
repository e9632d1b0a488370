import { Agent, request } from 'node:http'
import type { LoadResult } from '../load.ts'

/** Where refresh tokens are exchanged, and by whom. */
interface Rotation {
  readonly url: string
  readonly headers: Record<string, string>
}

/**
 * One worker per token, each on its own keep-alive connection, exchanges the refresh token that it
 * got last for `seconds`; `tokens` holds their latest afterwards.
 */
export async function rotate(
  { url, headers }: Rotation,
  tokens: string[],
  seconds: number,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: tokens.length })
  const times: number[] = []
  let failed = 0
  const begun = performance.now()
  const end = begun + seconds * 1000
  await Promise.all(
    tokens.map(async (_, worker) => {
      while (performance.now() < end) {
        const start = performance.now()
        const body = `grant_type=refresh_token&refresh_token=${tokens[worker]}`
        const next = successorIn(await post(agent, url, headers, body))
        times.push(performance.now() - start)
        if (next === undefined) failed++
        else tokens[worker] = next
      }
    }),
  )
  const passed = (performance.now() - begun) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? Number.NaN
  const figures = { perSecond: times.length / passed, p50: at(0.5), p99: at(0.99) }
  return { ...figures, answered: times.length, failed }
}

function successorIn(text: string): string | undefined {
  const { refresh_token: token } = JSON.parse(text) as { refresh_token?: string }
  return token
}

function post(agent: Agent, url: string, headers: Record<string, string>, body: string) {
  return new Promise<string>((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST', headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.once('end', () => resolve(text))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
