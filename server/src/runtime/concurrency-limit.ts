/** Runs work with a limit on concurrency per key. Further work waits in order of arrival. */
export type ConcurrencyLimit = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (key, work) => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < max) queue.running++
    else await new Promise<void>((begin) => queue.waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else if (--queue.running === 0) queues.delete(key)
    }
  }
}
