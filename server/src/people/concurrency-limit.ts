/** Limits how much work of a key runs at once. Further work waits in order of arrival. */
export function createConcurrencyLimit(max: number) {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
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
