import { z } from 'zod'

const isObject = (value: unknown) => typeof value === 'object' && value !== null

/** As prom-client gives and takes them. */
const Metrics = z.array(z.custom<object>(isObject))

/** What a worker tells the primary: that it serves, that it was asked for all metrics, or its own. */
export const FromWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('metrics of all, please'), request: z.int() }),
  z.object({ kind: z.literal('my metrics'), request: z.int(), metrics: Metrics }),
])

/** What the primary tells a worker: that it wants its metrics, or those of all. */
export const FromPrimary = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('your metrics, please'), request: z.int() }),
  z.object({ kind: z.literal('metrics of all'), request: z.int(), text: z.string() }),
])

export type FromWorker = z.output<typeof FromWorker>
export type FromPrimary = z.output<typeof FromPrimary>
