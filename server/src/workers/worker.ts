import cluster from 'node:cluster'
import type { Registry } from 'prom-client'
import { FromPrimary, type FromWorker } from './messages.ts'

/** Whether this process is the only one, or the first of its workers: what is done once is its to do. */
export const isFirst = (): boolean => cluster.isPrimary || cluster.worker?.id === 1

const tell = (message: FromWorker) => cluster.worker?.send(message)

/** Tells the primary that this worker serves everything. */
export const tellReady = (): void => {
  tell({ kind: 'ready' })
}

/** Hands a worker's metrics on, and gives what reads those of all workers together. */
export function shareMetrics(registry: Registry): () => Promise<string> {
  if (cluster.isPrimary) return () => registry.metrics()
  const waiting = new Map<number, (text: string) => void>()
  let requests = 0
  process.on('message', async (message) => {
    const { success, data } = FromPrimary.safeParse(message)
    if (!success) return
    const { request } = data
    if (data.kind === 'metrics of all') {
      waiting.get(request)?.(data.text)
      waiting.delete(request)
    } else tell({ kind: 'my metrics', request, metrics: await registry.getMetricsAsJSON() })
  })
  return () =>
    new Promise((resolve) => {
      waiting.set(++requests, resolve)
      tell({ kind: 'metrics of all, please', request: requests })
    })
}
