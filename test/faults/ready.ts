import type { ServerProcess } from '../support/processes.ts'
import { until } from '../support/waiting.ts'

/** Waits until a server says that it is ready; returns how long that took, ms. */
export async function untilReady({ url }: Pick<ServerProcess, 'url'>): Promise<number> {
  const started = performance.now()
  await until('the server is ready', async () => {
    const answer = await fetch(`${url}/health/ready`)
    await answer.arrayBuffer()
    return answer.ok
  })
  return performance.now() - started
}
