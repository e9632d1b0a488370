/** Runs work, at most so many of one key at once; the rest waits in the order of its arrival. */
export type ConcurrencyLimit = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createConcurrencyLimit(most: number): ConcurrencyLimit {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (key, work) => {
    const line = lines.get(key) ?? { running: 0, waiting: [] }
    lines.set(key, line)
    if (line.running < most) line.running++
    else await new Promise<void>((begin) => line.waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next) next()
      else if (--line.running === 0) lines.delete(key)
    }
  }
}
