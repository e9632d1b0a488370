import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { type FromPrimary, FromWorker } from './messages.ts'

/** A worker that says nothing for so long, ms, is left out. */
const patience = 1_000

/** Metrics of workers as they come in. */
interface Gathering {
  readonly from: Set<Worker>
  readonly found: object[]
  done(): void
}

/** Answers every worker that is asked for the metrics of all, out of those of the workers that are `ready`. */
export function gatherMetrics(ready: ReadonlySet<Worker>): void {
  const gatherings = new Map<number, Gathering>()
  let requests = 0

  async function gather(): Promise<string> {
    const request = ++requests
    const found: object[] = []
    const from = new Set([...ready].filter((worker) => worker.isConnected()))
    await new Promise<void>((done) => {
      gatherings.set(request, { from, found, done })
      for (const worker of from) tell(worker, { kind: 'your metrics, please', request })
      setTimeout(done, patience).unref()
    })
    gatherings.delete(request)
    return AggregatorRegistry.aggregate(found).metrics()
  }

  cluster.on('message', async (worker, message) => {
    const { success, data } = FromWorker.safeParse(message)
    if (!success || data.kind === 'ready') return
    const { request } = data
    if (data.kind === 'metrics of all, please') {
      return tell(worker, { kind: 'metrics of all', request, text: await gather() })
    }
    const gathering = gatherings.get(request)
    if (!gathering?.from.delete(worker)) return
    gathering.found.push(data.metrics)
    if (gathering.from.size === 0) gathering.done()
  })
}

/** A worker that ends meanwhile needs no answer. */
const tell = (worker: Worker, message: FromPrimary) => {
  if (worker.isConnected()) worker.send(message)
}
